// Package cases is the corpus: what every surface must do, as data. CONTRACT.md
// has the clauses, each folder the cases of one system.
package cases

import "embed"

// FS holds the contract and the cases. Package corpus reads it. Hidden files
// are in it too, so that one put there by mistake is reported.
//
//go:embed CONTRACT.md retired.txt all:event all:message all:pubsub all:assign
var FS embed.FS
