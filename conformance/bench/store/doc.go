// Package store measures the two embedded stores that a pub-sub broker's journal
// could be written over, bbolt and Pebble, at what the journal does: one message
// a call, the progress of one subscription a call, and opening.
//
//	go test -run '^$' -bench . ./store
//	go test -run Kill -v ./store
//
// The second command kills processes, and shows that Pebble without sync loses
// what had returned. It is therefore measured in a third mode, too: over a file
// system whose syncs do nothing, so that a call waits for the operating system
// to have its record, which is what bbolt does without sync.
//
// The choice made of it is told in package disk.
package store
