// Package disk keeps what a pub-sub broker must remember in a file (PS-15): hand
// the [Journal] that [Open] returns to a broker as its option.
//
// # What is survived
//
// A call that returned has given its writes to the operating system, so that the
// process may die at any moment, by SIGKILL too: the file then has what returned,
// and of the call that did not all or nothing. With [Options.Sync] it has waited
// for the disk as well, and the same holds for loss of power. Without, loss of
// power may cost the last calls or the whole file, which is then refused as
// damaged or, if all that is on the disk fits together, as old as that.
//
// A full disk fails a call with [broker.ErrDiskFull], changes nothing, and the
// next may succeed. After a sync that failed nothing more is taken until the
// file is opened again, as nobody knows what the disk has.
//
// A file that is damaged is refused and left as it is, be it by one flipped bit:
// its records have checksums, and the pages around them are checked bit by bit
// when it is opened. Where the damage is in the page that the last call wrote at
// its end, that call is undone instead, as if its write had been torn.
//
// # The store underneath
//
// It is bbolt, a B+ tree whose pages are never overwritten while they are in use.
// Pebble, a log-structured tree, was measured against it at this use, one record a
// call. Where both survive SIGKILL it needs a fifth of the processor time for a
// message; with sync, where the disk decides, bbolt takes up to half as long
// again. Opening takes bbolt two to three times as long, the check of every page
// included. It was not chosen, as
//
//   - without sync it returns before the operating system has the record, and
//     a killed process has lost what returned (to survive that, it must be given a
//     file system that lies about syncs);
//   - on a full disk it panics or ends the process, and a library must do
//     neither to its host;
//   - it adds 31 modules and 16 MB to a program, where bbolt adds 2 and half a MB,
//     keeps a folder of files for the one, and goroutines that run in between.
//
// The measurements, and the tests that show the first two points:
//
//	cd conformance/bench && go test -v ./store && go test -run '^$' -bench . ./store
//
// # The file
//
// Five buckets, described in record.go. A new file is made beside its path and
// renamed to it when it is whole. It is as large as what is kept has been at
// most, and some: pages of messages that retention forgot are used again, and are
// not given back to the file system. While it is open it is locked (flock).
//
// # How it is tested
//
// Against a model in maps, by killing processes, by simulating loss of power after
// every system call of a traced process, by refusing it single writes and syncs,
// on file systems that are full, and by flipping, cutting and overwriting what is
// in a file. EVENTBROKER_ROUNDS=200 runs each random test that often.
package disk
