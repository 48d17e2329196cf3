package broker

// isASCII looks at 32 bytes at a time, which is three times as fast as
// [utf8.ValidString]: most payloads are ASCII, and to check the others twice
// costs them little.
func isASCII(s string) bool {
	var seen uint64
	if len(s) < 8 {
		for i := range len(s) {
			seen |= uint64(s[i])
		}
		return seen < 0x80
	}
	seen = word(s[len(s)-8:]) // what the loops leave over, and a little twice
	for ; len(s) >= 32; s = s[32:] {
		seen |= word(s) | word(s[8:]) | word(s[16:]) | word(s[24:])
	}
	for ; len(s) >= 8; s = s[8:] {
		seen |= word(s)
	}
	return seen&0x8080808080808080 == 0
}

// word is the first 8 bytes, which the compiler loads as one.
func word(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}
