package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"syscall"

	"github.com/eventbroker/eventbroker/broker"
)

// damaged returns the [broker.ErrDamaged] of a file.
func damaged(path string, reason error) error {
	if errors.Is(reason, broker.ErrDamaged) {
		return reason
	}
	return fmt.Errorf("%w: %s: %w", broker.ErrDamaged, path, reason)
}

// unreadable returns the error of a file whose pages could not be checked: where
// it could be read they are damaged.
func unreadable(path string, err error) error {
	if pathError := (*fs.PathError)(nil); errors.As(err, &pathError) {
		return unopenable(path, err)
	}
	return damaged(path, err)
}

func inUse(path string) error { return fmt.Errorf("%w: %s", broker.ErrInUse, path) }

// unopenable returns the error of a path that could not be opened or made.
func unopenable(path string, err error) error {
	if _, isFull := full(err); isFull {
		return noRoom(path, err)
	}
	if errors.Is(err, errPanic) {
		return damaged(path, err)
	}
	reason := err
	if pathError := (*fs.PathError)(nil); errors.As(err, &pathError) {
		reason = pathError.Err // without the name of the unfinished file
	}
	return wrongPath(path, "cannot be opened: "+reason.Error())
}

func wrongPath(path, reason string) error {
	return &broker.ArgumentError{Argument: "path", Reason: strconv.Quote(path) + " " + reason}
}

// refused returns the error of a write that the system refused.
func refused(path string, err error) error {
	if _, isFull := full(err); isFull {
		return noRoom(path, err)
	}
	return fmt.Errorf("%w: %s: %w", broker.ErrStorage, path, err)
}

// noRoom returns the [broker.ErrDiskFull] where that is what err says, else err.
func noRoom(path string, err error) error {
	if errno, isFull := full(err); isFull {
		return fmt.Errorf("%w: %s: %w", broker.ErrDiskFull, path, errno)
	}
	return err
}

// full reports whether err says that there is no room: on the disk, in a quota,
// or under a limit of a file's size. It reads the text, as bbolt keeps no more
// of a failed growth.
func full(err error) (syscall.Errno, bool) {
	for _, errno := range []syscall.Errno{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG} {
		if err != nil && strings.HasSuffix(err.Error(), errno.Error()) {
			return errno, true
		}
	}
	return 0, false
}

// unwritten reports whether a change failed before the file had any of it, so
// that the next may succeed. After a failed fdatasync nobody knows what the disk
// has, and trying again does not find out: the kernel takes the pages for clean.
func unwritten(err error) bool {
	var write *fs.PathError
	return errors.As(err, &write) || strings.HasPrefix(err.Error(), "file resize error")
}
