package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"go.etcd.io/bbolt"

	"github.com/eventbroker/eventbroker/broker"
)

// unfinished is the ending of a file that is being made. It gets its path when it
// is whole, so that whatever stops the making leaves nothing there.
const unfinished = ".making"

// Open opens the journal at path, or makes an empty one where there is no file
// or an empty one. The path's folder must exist.
//
// It returns a [*broker.ArgumentError] for the path where no file can be opened
// there, [broker.ErrInUse] where it is open elsewhere, in this process or
// another, [broker.ErrDamaged] where the file is not one of ours or is damaged,
// and [broker.ErrDiskFull]; then the path is left as it is.
func Open(path string, options Options) (*Journal, error) {
	if path == "" {
		return nil, &broker.ArgumentError{Argument: "path", Reason: "is empty"}
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	for {
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, unopenable(path, err)
		case info.IsDir():
			return nil, wrongPath(path, "is a folder")
		case !info.Mode().IsRegular():
			return nil, wrongPath(path, "is not a regular file")
		case info.Size() > 0:
			return openFile(path, options)
		}
		if journal, err := makeFile(path, options); !errors.Is(err, errOvertaken) {
			return journal, err
		}
	}
}

// openFile opens a journal that exists. The lock comes first: pages that another
// process is writing would look damaged.
func openFile(path string, options Options) (*Journal, error) {
	file, err := lockFile(path, path, os.O_RDWR)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil {
		err = checkPages(file, info.Size())
	}
	if err != nil {
		_ = file.Close()
		return nil, unreadable(path, err)
	}
	journal, err := mapFile(path, file, options)
	if err != nil {
		return nil, unopenable(path, err)
	}
	if err := journal.attempt(func(db *bbolt.DB) error { return db.View(checkFormat) }); err != nil {
		_ = journal.Close()
		return nil, damaged(path, err)
	}
	return journal, nil
}

var errOvertaken = errors.New("another process has just made the file")

// makeFile makes an empty journal.
func makeFile(path string, options Options) (*Journal, error) {
	making := path + unfinished
	file, err := lockFile(making, path, os.O_RDWR|os.O_CREATE)
	if err != nil {
		return nil, err
	}
	if !ours(file, path) {
		_ = file.Close()
		return nil, errOvertaken
	}
	journal, err := fillFile(path, file, options)
	if err != nil {
		discard(making, path)
		return nil, unopenable(path, err)
	}
	return journal, nil
}

// discard removes an unfinished file, unless another has begun to make it anew.
func discard(making, path string) {
	if file, err := lockFile(making, path, os.O_RDWR); err == nil {
		_ = os.Remove(making)
		_ = file.Close()
	}
}

// ours reports whether the locked file is still the one in the making for path.
// Its lock may be that of one who made it and has gone on since.
func ours(file *os.File, path string) bool {
	locked, err := file.Stat()
	named, nameErr := os.Stat(file.Name())
	if err != nil || nameErr != nil || !os.SameFile(locked, named) {
		return false
	}
	made, err := os.Stat(path)
	return err != nil || made.Size() == 0
}

// fillFile makes file an empty journal, and gives it its path.
func fillFile(path string, file *os.File, options Options) (*Journal, error) {
	if err := file.Truncate(0); err != nil { // what one left that died while it made it
		return nil, errors.Join(err, file.Close())
	}
	journal, err := mapFile(path, file, options)
	if err != nil {
		return nil, err
	}
	err = journal.update(writeFormat)
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err == nil && options.Sync {
		err = syncFolder(filepath.Dir(path))
	}
	if err != nil {
		return nil, errors.Join(err, journal.Close())
	}
	return journal, nil
}

// lockFile opens name, which stands for path, and locks it.
func lockFile(name, path string, flags int) (*os.File, error) {
	file, err := os.OpenFile(name, flags, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, wrongPath(path, "is in a folder that does not exist")
	}
	if err != nil {
		return nil, unopenable(path, err)
	}
	err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		return file, nil
	}
	_ = file.Close()
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, inUse(path)
	}
	return nil, unopenable(path, err)
}

// mapFile hands the locked file to bbolt, and closes it where that fails.
//
// Without sync the file is not grown ahead of what is written to it: that costs
// an fsync, and is there for loss of power.
func mapFile(path string, file *os.File, options Options) (*Journal, error) {
	var db *bbolt.DB
	err := guarded(func() (err error) {
		db, err = bbolt.Open(path, 0, &bbolt.Options{
			OpenFile:     func(string, int, os.FileMode) (*os.File, error) { return file, nil },
			PageSize:     pageSize,
			FreelistType: bbolt.FreelistMapType,
			NoSync:       !options.Sync,
			NoGrowSync:   !options.Sync,
		})
		return err
	})
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return &Journal{path: path, file: file, db: db, topics: map[string]uint64{}}, nil
}

// writeFormat makes the buckets of an empty journal.
func writeFormat(tx *bbolt.Tx) error {
	for _, name := range [][]byte{formatBucket, topicBucket, messageBucket, cursorBucket, letterBucket} {
		if _, err := tx.CreateBucket(name); err != nil {
			return err
		}
	}
	return tx.Bucket(formatBucket).Put(versionKey, seal(versionKey, version))
}

// checkFormat refuses a file that bbolt made for somebody else, or that a version
// of ours made with another layout.
func checkFormat(tx *bbolt.Tx) error {
	for _, name := range [][]byte{formatBucket, topicBucket, messageBucket, cursorBucket, letterBucket} {
		if tx.Bucket(name) == nil {
			return errors.New("it is not a journal of this broker")
		}
	}
	body, err := unseal(versionKey, tx.Bucket(formatBucket).Get(versionKey))
	if err != nil || string(body) != string(version) {
		return errors.New("its layout is not known to this version")
	}
	return nil
}

// syncFolder makes a new name in the folder survive loss of power.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
