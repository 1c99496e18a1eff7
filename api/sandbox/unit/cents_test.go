package unit

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/cardtop/cardtop/internal/rapidtest" // the same cases in each run
)

func TestDecimalFloor(t *testing.T) {
	for _, c := range []struct {
		text  string
		value Cents
		exact bool
	}{
		{"0", 0, true},
		{"-0", 0, true},
		{"1", 100, true},
		{"10.000", 1000, true},
		{"1e2", 10000, true},
		{"1E+2", 10000, true},
		{"1.5e-1", 15, true},
		{"0.01", 1, true},
		{"0.001", 0, false},
		{"-0.001", -1, false},
		{"1.239", 123, false},
		{"-1.239", -124, false},
		{"0.999999999", 99, false},
		{"5000.001", 500000, false},
		{"0.30000000000000004", 30, false},
		{"1e400", MaxCents, true},
		{"-1e400", -MaxCents, true},
		{"1e-400", 0, false},
		{"9999999999999.99", 999999999999999, true},
		{"10000000000000", MaxCents, true},
		{"1e99999999999999999999", MaxCents, true},
		{"0e99999999999999999999", 0, true},
		{"1000000000000000000000000000e-25", 10000, true},
	} {
		d, err := parseDecimal(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if value, exact := d.floor(); value != c.value || exact != c.exact {
			t.Errorf("%s is %d (exact %t), want %d (%t)", c.text, value, exact, c.value, c.exact)
		}
	}
	for _, text := range []string{"", "-", ".5", "1.", "01", "+1", "1e", "1e+", "1e1.5", " 1", "1 ", "0x1", "NaN", "1_0", "1,5"} {
		if _, err := parseDecimal(text); err == nil {
			t.Errorf("%q was read as a number", text)
		}
	}
}

func TestCentsRoundTrip(t *testing.T) {
	for c, want := range map[Cents]string{
		0: "0", 1: "0.01", 10: "0.1", 100: "1", 18240: "182.4", 1248022: "12480.22", -310: "-3.1", -5: "-0.05",
	} {
		if got := c.String(); got != want {
			t.Errorf("%d cents are %s, want %s", int64(c), got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		c := Cents(rapid.Int64Range(-int64(MaxCents)+1, int64(MaxCents)-1).Draw(t, "cents"))
		d, err := parseDecimal(c.String())
		if err != nil {
			t.Fatal(err)
		}
		if value, exact := d.floor(); value != c || !exact {
			t.Fatalf("%s came back as %d (%t)", c, value, exact)
		}
	})
}

// TestDecimalAgainstRational compares with exact arithmetic.
func TestDecimalAgainstRational(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`-?(0|[1-9][0-9]{0,9})(\.[0-9]{1,9})?([eE][+-]?[0-3])?`).Draw(t, "number")
		d, err := parseDecimal(text)
		if err != nil {
			t.Fatal(err)
		}
		r, ok := new(big.Rat).SetString(text)
		if !ok {
			t.Fatalf("%s is no rational", text)
		}
		r.Mul(r, big.NewRat(100, 1))
		// Div rounds towards minus infinity for a positive divisor.
		floor, rest := new(big.Int).DivMod(r.Num(), r.Denom(), new(big.Int))
		if value, exact := d.floor(); int64(value) != floor.Int64() || exact != (rest.Sign() == 0) {
			t.Fatalf("%s is %d (%t), want %d (%t)", text, value, exact, floor, rest.Sign() == 0)
		}
	})
}
