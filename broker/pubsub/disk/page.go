package disk

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"slices"
)

// The layout of bbolt's pages, in the byte order of the machine.
const (
	pageSize    = 4096
	headerSize  = 16 // id 8, flags 2, count 2, overflow 4: of a page, and of each element in it
	idSize      = 8
	metaSize    = 64 // magic 4, version 4, page size 4, flags 4, root 8, sequence 8, freelist 8, end 8, transaction 8, checksum 8
	metaMagic   = 0xED0CDAED
	metaVersion = 2

	branchFlag   = 0x01
	leafFlag     = 0x02
	freelistFlag = 0x10
	bucketFlag   = 0x01 // of an element on a leaf
)

var order = binary.NativeEndian

var errNoMeta = errors.New("it is no journal, or both of its first two pages are damaged")

// checkPages reads the pages of a file that bbolt is to be given, and returns
// what is wrong with them. bbolt trusts what it maps: it would panic or fault
// on a damaged page, or do without the records on it. A page that passes is
// packed exactly as bbolt packs it, so that no bit of it can have flipped but in
// a value or behind the last one, and none is used twice.
func checkPages(file io.ReaderAt, size int64) error {
	m, err := newestMeta(file)
	if err != nil {
		return err
	}
	if m.end > uint64(size)/pageSize {
		return fmt.Errorf("it was cut off: it has %d bytes of %d pages", size, m.end)
	}
	c := checker{file: file, used: make([]bool, m.end)}
	c.used[0], c.used[1] = true, true
	if err := c.freelist(m.freelist); err != nil {
		return err
	}
	return c.tree(m.root, nil, nil)
}

// A meta is what is of use here on one of a file's first two pages. Each change
// overwrites the older of both.
type meta struct{ root, freelist, end, transaction uint64 }

// newestMeta returns the one that bbolt goes by: the newer that is whole. So a
// change whose last write was torn has not happened (PS-15).
func newestMeta(file io.ReaderAt) (newest meta, err error) {
	err = errNoMeta
	for page := range int64(2) {
		buf := make([]byte, headerSize+metaSize)
		if _, readErr := file.ReadAt(buf, page*pageSize); readErr != nil {
			continue
		}
		if m, ok := parseMeta(buf[headerSize:]); ok && (err != nil || m.transaction > newest.transaction) {
			newest, err = m, nil
		}
	}
	return newest, err
}

func parseMeta(b []byte) (m meta, ok bool) {
	sum := fnv.New64a()
	_, _ = sum.Write(b[:metaSize-8])
	ok = order.Uint32(b) == metaMagic && order.Uint32(b[4:]) == metaVersion &&
		order.Uint32(b[8:]) == pageSize && order.Uint64(b[56:]) == sum.Sum64()
	return meta{
		root:        order.Uint64(b[16:]),
		freelist:    order.Uint64(b[32:]),
		end:         order.Uint64(b[40:]),
		transaction: order.Uint64(b[48:]),
	}, ok
}

// A checker walks the pages that the newest meta leads to.
type checker struct {
	file io.ReaderAt
	used []bool // by page: whether it was seen, or is free
}

// use takes pages, none of which may have been taken before.
func (c *checker) use(first, count uint64) error {
	pages := uint64(len(c.used))
	if first > pages || count > pages-first {
		return fmt.Errorf("page %d: it is behind the last", first)
	}
	for id := first; id < first+count; id++ {
		if c.used[id] {
			return fmt.Errorf("page %d: it is used twice", id)
		}
		c.used[id] = true
	}
	return nil
}

// A page is one with those that it overflows into.
type page struct {
	id    uint64
	flags uint16
	count uint16
	bytes []byte
}

// read reads a page, and takes it.
func (c *checker) read(id uint64) (page, error) {
	if err := c.use(id, 1); err != nil {
		return page{}, err
	}
	first := make([]byte, pageSize)
	if _, err := c.file.ReadAt(first, int64(id)*pageSize); err != nil {
		return page{}, err
	}
	p := parsePage(first)
	if p.id != id {
		return page{}, fmt.Errorf("page %d: it says it is page %d", id, p.id)
	}
	overflow := uint64(order.Uint32(first[12:]))
	if err := c.use(id+1, overflow); err != nil || overflow == 0 {
		return p, err
	}
	p.bytes = slices.Concat(first, make([]byte, overflow*pageSize))
	_, err := c.file.ReadAt(p.bytes[pageSize:], int64(id+1)*pageSize)
	return p, err
}

func parsePage(b []byte) page {
	return page{id: order.Uint64(b), flags: order.Uint16(b[8:]), count: order.Uint16(b[10:]), bytes: b}
}

// freelist takes the pages that nothing is on.
func (c *checker) freelist(id uint64) error {
	p, err := c.read(id)
	if err != nil {
		return err
	}
	if p.flags != freelistFlag {
		return fmt.Errorf("page %d: it is no list of free pages", id)
	}
	ids := p.bytes[headerSize:]
	count := uint64(p.count)
	if count == 0xFFFF { // more than fit into the header: then the first is their count
		count, ids = order.Uint64(ids), ids[idSize:]
	}
	if count > uint64(len(ids))/idSize {
		return fmt.Errorf("page %d: %d free pages are more than fit", id, count)
	}
	for ; count > 0; count, ids = count-1, ids[idSize:] {
		if err := c.use(order.Uint64(ids), 1); err != nil {
			return err
		}
	}
	return nil
}

// tree walks the page and those below it, on which all keys are at least low and
// below high. As no page is used twice, there is no cycle.
func (c *checker) tree(id uint64, low, high []byte) error {
	p, err := c.read(id)
	if err != nil {
		return err
	}
	elements, err := p.elements(low, high)
	if err != nil {
		return fmt.Errorf("page %d: %w", id, err)
	}
	for i, e := range elements {
		switch {
		case p.flags == branchFlag:
			below := high
			if i+1 < len(elements) {
				below = elements[i+1].key
			}
			err = c.tree(e.child, e.key, below)
		case e.flags == bucketFlag:
			err = c.bucket(e.value)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// bucket walks a bucket: below the page that the value names, or in the value
// itself where it is small.
func (c *checker) bucket(value []byte) error {
	if len(value) < headerSize {
		return errBucket
	}
	if root := order.Uint64(value); root != 0 {
		return c.tree(root, nil, nil)
	}
	if len(value) < 2*headerSize {
		return errBucket
	}
	p := parsePage(value[headerSize:])
	elements, err := p.elements(nil, nil)
	if p.flags != leafFlag || slices.ContainsFunc(elements, func(e element) bool { return e.flags != 0 }) {
		return errBucket
	}
	return err
}

// An element is a key on a page, with the page below it or with a value.
type element struct {
	key, value []byte
	child      uint64
	flags      uint32
}

var (
	errBucket = errors.New("one of its buckets is damaged")
	errKind   = errors.New("it is no page of a tree")
	errPacked = errors.New("its records do not follow each other")
	errOrder  = errors.New("its keys are out of order")
)

// elements returns those of a page. Their keys ascend from low to below high,
// where these are not nil.
func (p page) elements(low, high []byte) ([]element, error) {
	if p.flags != branchFlag && p.flags != leafFlag || p.flags == branchFlag && p.count == 0 {
		return nil, errKind
	}
	at := headerSize * (1 + uint64(p.count))
	elements := make([]element, 0, p.count)
	for i := range uint64(p.count) {
		e, size, ok := p.element(headerSize*(1+i), at)
		if !ok {
			return nil, errPacked
		}
		above := len(elements) == 0 && bytes.Compare(e.key, low) >= 0 || len(elements) > 0 && bytes.Compare(e.key, low) > 0
		if !above || high != nil && bytes.Compare(e.key, high) >= 0 {
			return nil, errOrder
		}
		elements, low, at = append(elements, e), e.key, at+size
	}
	return elements, nil
}

// element returns the one whose header is at head, with the size of its data,
// which must be at the place data.
func (p page) element(head, data uint64) (e element, size uint64, ok bool) {
	if data > uint64(len(p.bytes)) {
		return e, 0, false
	}
	h := p.bytes[head:]
	var at, keySize, valueSize uint32
	if p.flags == branchFlag {
		at, keySize, e.child = order.Uint32(h), order.Uint32(h[4:]), order.Uint64(h[8:])
	} else {
		e.flags, at, keySize, valueSize = order.Uint32(h), order.Uint32(h[4:]), order.Uint32(h[8:]), order.Uint32(h[12:])
	}
	size = uint64(keySize) + uint64(valueSize)
	if head+uint64(at) != data || size > uint64(len(p.bytes))-data || keySize == 0 || e.flags > bucketFlag {
		return e, 0, false
	}
	e.key, e.value = p.bytes[data:data+uint64(keySize)], p.bytes[data+uint64(keySize):data+size]
	return e, size, true
}
