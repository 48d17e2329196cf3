package main

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/eventbroker/eventbroker/cases"
	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/runner"
	"github.com/spf13/cobra"
)

func lintCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "lint [FOLDER]",
		Short: "check a corpus, and that it covers the contract",
		Long: `Check the corpus that is built in, or the one in FOLDER: that every file can be
read in one way only, that every case names clauses of the contract, and that
every clause has a case or, with a dagger, a named test. The table shows which.

A FOLDER with a CONTRACT.md of its own is held against that; without one, its
cases are held against the contract that is built in, and need not cover it.
The tests that the built-in contract names are looked for when the command runs
inside a checkout.`,
		Example: `  conform lint
  conform lint ./my-cases`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			folder, tree := "", checkout()
			if len(args) == 1 {
				folder, tree = args[0], nil
			}
			fsys, err := caseFiles(folder)
			if err != nil {
				return err
			}
			proofs, err := corpus.Lint(fsys, cases.FS, tree)
			if _, err := io.WriteString(cmd.OutOrStdout(), table(proofs)); err != nil {
				return err
			}
			if err != nil {
				cmd.PrintErrln(err) // a line a problem
				return exitWith(runner.ExitUsage)
			}
			return nil
		},
	}
}

// checkout is the tree that the working directory is in, or nil outside of one.
func checkout() fs.FS {
	dir, err := os.Getwd()
	for ; err == nil; dir = filepath.Dir(dir) {
		mod, readErr := os.ReadFile(filepath.Join(dir, "go.mod"))
		if readErr == nil && bytes.HasPrefix(mod, []byte("module github.com/eventbroker/eventbroker\n")) {
			return os.DirFS(dir)
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return nil
}

// table has a row a clause with its tests and cases, folded so that it stays
// readable in a terminal; "" where the corpus or the contract cannot be read.
func table(proofs []corpus.Proof) string {
	if proofs == nil {
		return ""
	}
	var b strings.Builder
	distinct := map[string]bool{}
	for _, p := range proofs {
		var names []string
		for _, test := range p.Clause.Tests {
			names = append(names, test.String())
		}
		for _, c := range p.Cases {
			names = append(names, c.ID)
			distinct[c.ID] = true
		}
		dagger := " "
		if p.Clause.Dagger {
			dagger = "†"
		}
		row := fmt.Sprintf("%s%s %3d  %s", p.Clause.ID, dagger, len(names), fold(names, 100, strings.Repeat(" ", 12)))
		b.WriteString(strings.TrimRight(row, " ") + "\n")
	}
	fmt.Fprintf(&b, "%d clauses, %d cases\n", len(proofs), len(distinct))
	return b.String()
}

// fold joins names with commas, and begins a new line, indented, where one
// would be wider than width.
func fold(names []string, width int, indent string) string {
	var b strings.Builder
	column := len(indent)
	for i, name := range names {
		if i > 0 {
			b.WriteByte(',')
			if column+len(name)+1 > width { // with its comma
				b.WriteString("\n" + indent)
				column = len(indent)
			} else {
				b.WriteByte(' ')
			}
		}
		b.WriteString(name)
		column += len(name) + 2
	}
	return b.String()
}
