// Package offsetlog keeps a log that is appended to at its end and trimmed at
// its front. Offsets are absolute: trimming never renumbers what is left.
package offsetlog

// A Log holds the entries from offset Base up to, not including, Next. The zero
// Log is empty and begins at offset 0. It has no lock: its owner has.
type Log[T any] struct {
	// The entry at offset o lies at ring[o & (len(ring)-1)]: the length is 0 or
	// a power of two, and doubles only when the log needs it.
	ring []T
	base int64
	next int64
}

// firstSize makes the smallest ring whole cache lines, whatever the entry.
const firstSize = 8

// Base is the earliest offset kept, or Next when nothing is.
func (l *Log[T]) Base() int64 { return l.base }

// Next is the offset that the next entry will get.
func (l *Log[T]) Next() int64 { return l.next }

// Len is the number of entries kept.
func (l *Log[T]) Len() int { return int(l.next - l.base) }

// Has reports whether an entry is kept at offset.
func (l *Log[T]) Has(offset int64) bool { return l.base <= offset && offset < l.next }

// StartAt makes an empty log begin at an offset, as one of which all entries
// before it were trimmed.
func (l *Log[T]) StartAt(offset int64) { l.base, l.next = offset, offset }

// Append adds an entry at the end and returns its offset. It costs constant
// time, amortized over the doublings.
func (l *Log[T]) Append(entry T) int64 {
	if l.Len() == len(l.ring) {
		l.grow()
	}
	offset := l.next
	*l.slot(offset) = entry
	l.next++
	return offset
}

// At is the entry at offset, to be read or changed until the next Append or
// TrimFront. It panics where Has is false.
func (l *Log[T]) At(offset int64) *T {
	if !l.Has(offset) {
		panic("offsetlog: offset is not kept")
	}
	return l.slot(offset)
}

// TrimFront drops the earliest entry. It panics when the log is empty.
func (l *Log[T]) TrimFront() {
	var zero T
	*l.At(l.base) = zero // lets go of what the entry pointed to
	l.base++
}

func (l *Log[T]) slot(offset int64) *T { return &l.ring[offset&int64(len(l.ring)-1)] }

func (l *Log[T]) grow() {
	bigger := make([]T, max(firstSize, 2*len(l.ring)))
	for o := l.base; o < l.next; o++ {
		bigger[o&int64(len(bigger)-1)] = *l.slot(o)
	}
	l.ring = bigger
}
