package oplog

// The lengths of card numbers.
const (
	shortest = 13
	longest  = 19
)

// HasCardNumber reports whether a text has a card number: 13 to 19 digits, in one group
// or in several with a space or a dash between them, of which the first says that it is
// a payment card and the last is the check digit.
func HasCardNumber(s string) bool {
	var groups [][]byte
	open := false // the last group may go on
	for i := range len(s) {
		switch c := s[i]; {
		case c >= '0' && c <= '9' && open:
			groups[len(groups)-1] = append(groups[len(groups)-1], c-'0')
		case c >= '0' && c <= '9':
			groups, open = append(groups, []byte{c - '0'}), true
		case (c == ' ' || c == '-') && open:
			open = false
		default:
			if joined(groups) {
				return true
			}
			groups, open = nil, false
		}
	}
	return joined(groups)
}

// joined reports whether groups that follow one another are a card number.
func joined(groups [][]byte) bool {
	for from := range groups {
		var digits []byte
		for _, g := range groups[from:] {
			if digits = append(digits, g...); isCardNumber(digits) {
				return true
			}
		}
	}
	return false
}

// isCardNumber checks the length, the first digit and the check digit (Luhn).
func isCardNumber(digits []byte) bool {
	if len(digits) < shortest || len(digits) > longest || digits[0] < 2 || digits[0] > 6 {
		return false
	}
	sum := 0
	for i, d := range digits {
		n := int(d)
		if (len(digits)-i)%2 == 0 {
			if n *= 2; n > 9 {
				n -= 9
			}
		}
		sum += n
	}
	return sum%10 == 0
}
