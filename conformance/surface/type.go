package surface

// A Type says what a case may write as an argument, what an adapter must take
// and what a call gives back. It is one of [Scalar], [*Choice], [List], [Map],
// [Optional], [*Tuple], [*Struct], [*Options] and [Call], and can be compared
// with ==. Its name is for people.
type Type interface {
	String() string
	isType()
}

// A Scalar is a type that is not made of others.
type Scalar string

// The scalars. A case may write null for an argument that is a string, any of
// the three kinds, where it says that it needs null_strings.
const (
	Identifier Scalar = "identifier" // a string; the contract's identifiers
	Text       Scalar = "text"       // a string: a payload
	String     Scalar = "string"     // any string
	Bytes      Scalar = "bytes"      // {hex: …} always; every language can say them
	Int32      Scalar = "int32"      // an integer; the contract gives it 32 bits
	Int64      Scalar = "int64"      // an integer; the contract gives it 64 bits
	Limit      Scalar = "limit"      // as Int32, but never 0, in which some languages see the default
	Bool       Scalar = "bool"
	Null       Scalar = "null" // the result of a call that returns nothing

	// Integers of structs. Languages keep these in fields of just that size, so
	// that no case writes a larger one.
	Field16 Scalar = "16-bit field"
	Field32 Scalar = "32-bit field"

	// Count is an integer from 1 that the adapter itself works with.
	Count Scalar = "count"
)

// A Choice is one of a few values. Of an open one a case may also write any
// string, in a call that must fail: to judge it is the implementation's part.
type Choice struct {
	Name   string
	Values []any
	Open   bool
}

// A List has any number of elements of one type.
type List struct{ Of Type }

// A Map has any number of values of one type, by keys that are strings.
type Map struct{ Of Type }

// An Optional may be null. The field of an argument is null, too, where a case
// leaves it out; that of a result has to be there.
type Optional struct{ Of Type }

// A Tuple is a list with just these elements: one of many, which the names of
// its fields would make long.
type Tuple struct {
	Name   string
	Fields []Param
}

// A Struct is a map with just these keys.
type Struct struct {
	Name   string
	Fields []Param
}

// An Options is a map with at least one of these keys. What a case leaves out is
// not on the wire either.
type Options struct {
	Name   string
	Fields []Param
}

// A Call is one operation of the named system with its arguments, in a list: an
// argument that says what to do.
type Call struct{ System string }

func (s Scalar) String() string   { return string(s) }
func (c *Choice) String() string  { return c.Name }
func (l List) String() string     { return "list of " + l.Of.String() }
func (m Map) String() string      { return "map of " + m.Of.String() }
func (o Optional) String() string { return o.Of.String() + " or null" }
func (t *Tuple) String() string   { return t.Name }
func (s *Struct) String() string  { return s.Name }
func (o *Options) String() string { return o.Name }
func (c Call) String() string     { return "call of " + c.System }

func (Scalar) isType()   {}
func (*Choice) isType()  {}
func (List) isType()     {}
func (Map) isType()      {}
func (Optional) isType() {}
func (*Tuple) isType()   {}
func (*Struct) isType()  {}
func (*Options) isType() {}
func (Call) isType()     {}

// IsString reports whether values of the type are strings.
func (s Scalar) IsString() bool { return s == Identifier || s == Text || s == String }
