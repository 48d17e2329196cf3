package surface

// A Type says what a case may write as an argument, what an adapter must take
// and what a call gives back. It is one of [Scalar], [List], [Map], [Optional]
// and [*Struct], and can be compared with ==. Its name is for people.
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
	Bool       Scalar = "bool"

	// Integers of structs. Languages keep these in fields of just that size, so
	// that no case writes a larger one.
	Field16 Scalar = "16-bit field"
	Field32 Scalar = "32-bit field"
)

// A List has any number of elements of one type.
type List struct{ Of Type }

// A Map has any number of values of one type, by keys that are strings.
type Map struct{ Of Type }

// An Optional may be null. The field of an argument is null, too, where a case
// leaves it out; that of a result has to be there.
type Optional struct{ Of Type }

// A Struct is a map with just these keys.
type Struct struct {
	Name   string
	Fields []Param
}

func (s Scalar) String() string   { return string(s) }
func (l List) String() string     { return "list of " + l.Of.String() }
func (m Map) String() string      { return "map of " + m.Of.String() }
func (o Optional) String() string { return o.Of.String() + " or null" }
func (s *Struct) String() string  { return s.Name }

func (Scalar) isType()   {}
func (List) isType()     {}
func (Map) isType()      {}
func (Optional) isType() {}
func (*Struct) isType()  {}

// IsString reports whether values of the type are strings.
func (s Scalar) IsString() bool { return s == Identifier || s == Text || s == String }
