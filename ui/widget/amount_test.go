package widget

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/cardtop/cardtop/internal/rapidtest" // the same cases in each run
)

func typeAmount(a *Amount, text string) {
	for _, r := range text {
		a.Key(string(r), string(r))
	}
}

func TestAmountTyping(t *testing.T) {
	for _, c := range []struct {
		typed, value string
		cents        int64
		ok           bool
		err          string
	}{
		{"", "", 0, false, ""},
		{".", ".", 0, false, ""},
		{"0", "0", 0, true, ""},
		{"5.", "5.", 500, true, ""},
		{".5", ".5", 50, true, ""},
		{"007", "007", 700, true, ""},
		{"12.3", "12.3", 1230, true, ""},
		{"1250.05", "1250.05", 125005, true, ""},
		{"999999999.99", "999999999.99", 99999999999, true, ""},
		{"1234567890", "1234567890", 0, false, "too long"},
		{"1.234", "1.234", 0, false, "two decimals"},
		{"1.2.", "1.2.", 0, false, "one dot"},
		{"1,", "1,", 100, true, ""},
		{"12,5", "12,5", 1250, true, ""},
		{"12,50", "12,50", 1250, true, ""},
		{"1,250", "1,250", 0, false, "comma"},
		{"1,250.00", "1,250.00", 125000, true, ""},
		{"1,250,000.5", "1,250,000.5", 125000050, true, ""},
		{"1,25,000.5", "1,25,000.5", 0, false, "comma"},
		{"1.250,00", "1.250,00", 0, false, "comma"},
		{"1,2,3", "1,2,3", 0, false, "comma"},
		{"1\u00a0250,00\u00a0$", "1\u00a0250,00\u00a0$", 125000, true, ""},
		{"1 250", "1 250", 125000, true, ""},
		{"1 25", "1 25", 0, false, "grouped"},
		{"1 250\u00a0000", "1 250\u00a0000", 0, false, "grouped"},
		{"$1,250.00", "$1,250.00", 125000, true, ""},
		{"$$5", "$$5", 0, false, "currency sign"},
		{"€5", "€5", 0, false, "currency sign"},
		{"-", "-", 0, false, "minus"},
		{"-5", "-5", 0, false, "minus"},
		{"1+", "1+", 0, false, "plus"},
		{"1 ", "1 ", 100, true, ""},
		{"$5", "$5", 500, true, ""},
		{"$", "$", 0, false, ""},
		{"1e3", "1e3", 0, false, "exponent"},
		{"x", "x", 0, false, "digits"},
		{"٣", "٣", 0, false, "digits"},
	} {
		a := NewAmount(InputStyles{})
		typeAmount(a, c.typed)
		cents, ok := a.Cents()
		if a.Value() != c.value || cents != c.cents || ok != c.ok || !strings.Contains(a.Err(), c.err) || (c.err == "") != (a.Err() == "") {
			t.Errorf("%q: value %q cents %d %v error %q", c.typed, a.Value(), cents, ok, a.Err())
		}
	}
}

func TestAmountPaste(t *testing.T) {
	a := NewAmount(InputStyles{})
	a.Paste(" 250.00\n")
	if a.Value() != "250.00" {
		t.Errorf("pasted %q", a.Value())
	}
	a.Paste("1")
	if _, ok := a.Cents(); ok || a.Value() != "250.001" || !strings.Contains(a.Err(), "two decimals") {
		t.Errorf("value %q error %q", a.Value(), a.Err())
	}
	a.Key("backspace", "")
	if c, ok := a.Cents(); c != 25000 || !ok || a.Err() != "" {
		t.Errorf("value %q error %q after it was mended", a.Value(), a.Err())
	}
	a.SetErr("the wallet is short")
	a.Key("backspace", "")
	if a.Err() != "" {
		t.Errorf("error %q after a change", a.Err())
	}
	a.SetValue("1,250")
	if _, ok := a.Cents(); ok || !strings.Contains(a.Err(), "comma") {
		t.Errorf("value %q error %q: a grouped amount must not be guessed", a.Value(), a.Err())
	}
}

// A deletion may join digits into another amount than was meant: that is no
// amount either.
func TestAmountDeletion(t *testing.T) {
	a := NewAmount(InputStyles{})
	typeAmount(a, "123456789.12")
	for range 2 {
		a.Key("left", "")
	}
	a.Key("backspace", "")
	if _, ok := a.Cents(); ok || a.Err() == "" {
		t.Errorf("value %q error %q", a.Value(), a.Err())
	}
}

func TestAmountCentsAreWhatIsShown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cents := rapid.Int64Range(0, 99999999999).Draw(t, "cents")
		a := NewAmount(InputStyles{})
		a.SetValue(fmt.Sprintf("%d.%02d", cents/100, cents%100))
		if got, ok := a.Cents(); got != cents || !ok {
			t.Fatalf("%q is %d cents", a.Value(), got)
		}
		a.SetValue("")
		typeAmount(a, hostile().Draw(t, "text"))
		if _, ok := a.Cents(); ok == (a.Err() != "") && strings.Trim(unprinted(a.Value()), ".") != "" {
			t.Fatalf("%q is an amount: %v, and yet %q", a.Value(), ok, a.Err())
		}
		w := width().Draw(t, "w")
		exact(t, []string{a.View(w, true)}, w, 1)
	})
}

type shout struct{}

func (shout) T(text string) string { return strings.ToUpper(text) }

func TestAnAmountSaysWhatIsWrongInTheLanguageOfTheScreen(t *testing.T) {
	t.Parallel()
	a := NewAmount(InputStyles{Words: shout{}})
	for typed, want := range map[string]string{"1.2.3": "MORE THAN ONE DOT", "1,500": "COMMA: THE DECIMALS FOLLOW A DOT, AS IN 1250.00"} {
		if a.SetValue(typed); a.Err() != want {
			t.Errorf("%s: %q, not %q", typed, a.Err(), want)
		}
	}
}
