package api

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// USD is an amount of money in millionths of a US dollar. Figures with up to
// six decimals are exact; what a server's floating point adds beyond them
// (0.30000000000000004) is rounded off, and a finer amount is refused (ASSUMED 3). The
// range is about ±9.2e12 dollars.
type USD int64

// The units of [USD].
const (
	Cent   USD = 10_000
	Dollar USD = 1_000_000
)

// Units is an amount in millionths of the currency that a transaction names. Amounts in two
// currencies are not to be added: this is another type than [USD], which sums are of.
type Units int64

// String is the amount without its currency: two decimals, or more where it has them.
func (u Units) String() string { return USD(u).String() }

// Grouped is String with thousands grouped.
func (u Units) Grouped() string { return USD(u).Grouped() }

// MarshalJSON writes a JSON number.
func (u Units) MarshalJSON() ([]byte, error) { return USD(u).MarshalJSON() }

// usdDecimals is the number of decimals of USD.
const usdDecimals = 6

var (
	errNotNumber = errors.New("parse amount: not a JSON number")
	errTooBig    = errors.New("parse amount: out of range")
	errTooFine   = errors.New("parse amount: more than six decimals")
)

// ParseUSD parses one amount of USD in the syntax of a JSON number (12, -3.10, 1e2).
// Spaces, signs and separators that JSON does not have are errors.
func ParseUSD(s string) (USD, error) {
	n, err := scanNumber(s)
	if err != nil {
		return 0, err
	}
	return n.usd()
}

// ParseTyped is ParseUSD of what a person wrote, in a command, a filter or a file: a typed
// exponent is more likely a slip than an amount.
func ParseTyped(s string) (USD, error) {
	if strings.ContainsAny(s, "eE") {
		return 0, errNotNumber
	}
	return ParseUSD(s)
}

// number is a parsed JSON number: digits × 10^-point.
type number struct {
	negative bool
	digits   string // without leading zeros
	point    int    // decimals among the digits; negative for an exponent
}

func scanNumber(s string) (number, error) {
	var n number
	s, n.negative = strings.CutPrefix(s, "-")
	whole, rest := cutDigits(s)
	if whole == "" || len(whole) > 1 && whole[0] == '0' {
		return n, errNotNumber
	}
	fraction := ""
	if after, ok := strings.CutPrefix(rest, "."); ok {
		if fraction, rest = cutDigits(after); fraction == "" {
			return n, errNotNumber
		}
	}
	exponent := 0
	if rest != "" {
		var err error
		if exponent, err = scanExponent(rest); err != nil {
			return n, err
		}
	}
	n.digits = strings.TrimLeft(whole+fraction, "0")
	n.point = len(fraction) - exponent
	return n, nil
}

func cutDigits(s string) (digits, rest string) {
	end := 0
	for end < len(s) && s[end] >= '0' && s[end] <= '9' {
		end++
	}
	return s[:end], s[end:]
}

// scanExponent parses "e", a sign and digits to the end of the text. The result is at
// most ±1e9, where the number is zero or out of range anyway.
func scanExponent(s string) (int, error) {
	if s[0] != 'e' && s[0] != 'E' {
		return 0, errNotNumber
	}
	s, sign := s[1:], 1
	switch {
	case strings.HasPrefix(s, "-"):
		s, sign = s[1:], -1
	case strings.HasPrefix(s, "+"):
		s = s[1:]
	}
	digits, rest := cutDigits(s)
	if digits == "" || rest != "" {
		return 0, errNotNumber
	}
	const beyond = 1_000_000_000
	if digits = strings.TrimLeft(digits, "0"); len(digits) > len("999999999") {
		return sign * beyond, nil
	}
	value, err := strconv.Atoi("0" + digits)
	return sign * value, err
}

func (n number) usd() (USD, error) {
	if n.digits == "" {
		return 0, nil
	}
	shift := usdDecimals - n.point
	if shift > len("9223372036854775807") {
		return 0, errTooBig
	}
	cut := len(n.digits) + shift
	switch {
	case cut <= 0 && !noise(n.digits, "", -cut), shift < 0 && cut > 0 && !noise(n.digits[cut:], n.digits[:cut], 0):
		return 0, errTooFine
	case cut <= 0:
		return 0, nil
	}
	kept, up := n.digits+strings.Repeat("0", max(shift, 0)), false
	if shift < 0 {
		kept, up = n.digits[:cut], n.digits[cut] >= '5'
	}
	value, err := strconv.ParseUint(kept, 10, 63)
	if err == nil && up {
		value++
	}
	if err != nil || value > math.MaxInt64 {
		return 0, errTooBig
	}
	if n.negative {
		return -USD(value), nil
	}
	return USD(value), nil
}

const (
	// floatDigits is how many digits a float64 has at least that was added up from others:
	// it is written with as many as tell it from its neighbours.
	floatDigits = 16
	// nearDigits is how many of the digits that are cut off are zeros or nines then, and
	// nothingDigits how many zeros follow the millionths of a sum that is zero.
	nearDigits    = 3
	nothingDigits = 10
)

// noise reports whether the digits beyond the millionths are nothing, or what floating point
// adds to a figure: digits are what is cut off behind so many zeros, kept what is before it.
func noise(digits, kept string, zeros int) bool {
	switch {
	case strings.Trim(digits, "0") == "" || kept == "" && zeros >= nothingDigits:
		return true
	case len(kept)+len(digits) < floatDigits:
		return false
	case kept == "":
		return zeros >= nearDigits
	}
	// The larger the figure, the sooner its digits end.
	near := digits[:min(len(digits), nearDigits, max(0, floatDigits-1-len(kept)))]
	return strings.Trim(near, "0") == "" || strings.Trim(near, "9") == ""
}

// String returns decimal text with at least two decimals, more only when they are not
// zero ("12480.22", "-3.10", "0.125").
func (u USD) String() string { return u.text(2, false) }

// Grouped returns String with a comma between thousands ("12,480.22").
func (u USD) Grouped() string { return u.text(2, true) }

// MarshalJSON returns a JSON number without trailing zeros (250, -3.1).
func (u USD) MarshalJSON() ([]byte, error) { return []byte(u.text(0, false)), nil }

// UnmarshalJSON parses a JSON number; null leaves the amount unchanged. A string is
// an error.
func (u *USD) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		return nil
	}
	v, err := ParseUSD(string(b))
	if err != nil {
		return err
	}
	*u = v
	return nil
}

// WholeCents reports whether the amount has no fraction of a cent.
func (u USD) WholeCents() bool { return u%Cent == 0 }

func (u USD) text(decimals int, grouped bool) string {
	sign, abs := "", uint64(u)
	if u < 0 {
		sign, abs = "-", -abs
	}
	whole := strconv.FormatUint(abs/uint64(Dollar), 10)
	if grouped {
		for i := len(whole) - 3; i > 0; i -= 3 {
			whole = whole[:i] + "," + whole[i:]
		}
	}
	fraction := fmt.Sprintf("%06d", abs%uint64(Dollar))
	for len(fraction) > decimals && fraction[len(fraction)-1] == '0' {
		fraction = fraction[:len(fraction)-1]
	}
	if fraction == "" {
		return sign + whole
	}
	return sign + whole + "." + fraction
}

// Crypto is an amount in the unit of a crypto currency, as decimal text. It can have
// more digits than an integer holds, so the text is kept as sent, sanitised.
type Crypto string

// UnmarshalJSON decodes a string, or a number with its digits as sent.
func (c *Crypto) UnmarshalJSON(b []byte) error {
	text, err := scalarText(b)
	if err != nil {
		return fmt.Errorf("decode crypto amount: %w", err)
	}
	*c = Crypto(text)
	return nil
}
