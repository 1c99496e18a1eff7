package cli

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/query"
)

// Amount is a flag that takes USD in whole cents.
type Amount struct {
	USD api.USD
	Set bool
}

// amounts leave no doubt: no sign, no exponent, no separators, at most two
// decimals.
var amounts = regexp.MustCompile(`^(0|[1-9][0-9]*)(\.[0-9]{1,2})?$`)

// AmountFlag is the pflag.Value of an Amount.
type AmountFlag struct{ To *Amount }

// Set implements pflag.Value.
func (f AmountFlag) Set(text string) error {
	u, err := ParseAmount(text)
	if err == nil {
		f.To.USD, f.To.Set = u, true
	}
	return err
}

// ParseAmount reads an amount as it is typed.
func ParseAmount(text string) (api.USD, error) {
	if !amounts.MatchString(text) {
		return 0, errors.New("not an amount")
	}
	return api.ParseUSD(text)
}

// String implements pflag.Value; empty for none.
func (f AmountFlag) String() string {
	if f.To == nil || !f.To.Set {
		return ""
	}
	return f.To.USD.String()
}

// Type is its name in the help.
func (AmountFlag) Type() string { return "usd" }

// Takes describes its values.
func (AmountFlag) Takes() string { return "an amount in USD such as 12.50" }

// Maybe returns the amount; nil when none was given.
func (a Amount) Maybe() *api.USD {
	if !a.Set {
		return nil
	}
	return &a.USD
}

// SignedAmount is an AmountFlag that takes a minus sign.
type SignedAmount struct{ AmountFlag }

// Set implements pflag.Value.
func (f SignedAmount) Set(text string) error {
	digits, minus := strings.CutPrefix(text, "-")
	if err := f.AmountFlag.Set(digits); err != nil {
		return err
	}
	if minus {
		f.To.USD = -f.To.USD
	}
	return nil
}

// Takes describes its values.
func (SignedAmount) Takes() string { return "an amount in USD such as 12.50 or -12.50" }

// Number is a flag that takes a number and holds it as it was typed: money is
// never a float.
type Number string

var decimal = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?$`)

// Set implements pflag.Value.
func (n *Number) Set(text string) error {
	if !decimal.MatchString(text) {
		return errors.New("not a number")
	}
	*n = Number(text)
	return nil
}

// String implements pflag.Value.
func (n *Number) String() string { return string(*n) }

// Type is its name in the help.
func (*Number) Type() string { return "number" }

// Takes describes its values.
func (*Number) Takes() string { return "a number such as 12.50" }

// Span is a flag that takes a duration as filters write it, such as 2h30m or
// 1w, and as Go does, such as 500ms.
type Span time.Duration

// Set implements pflag.Value.
func (s *Span) Set(text string) error {
	d, ok := query.ParseAge(strings.ToLower(text))
	if !ok {
		var err error
		if d, err = time.ParseDuration(text); err != nil || d < 0 {
			return errors.New("not a time")
		}
	}
	*s = Span(d)
	return nil
}

// String implements pflag.Value; empty for none.
func (s *Span) String() string {
	if s == nil || *s == 0 {
		return ""
	}
	text := time.Duration(*s).String()
	for _, zero := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, zero) {
			text = text[:len(text)-2]
		}
	}
	return text
}

// Type is its name in the help.
func (*Span) Type() string { return "time" }

// Takes describes its values.
func (*Span) Takes() string { return "a time such as 90m, 24h, 1d or 2w" }

// When is a flag that takes a time: a date, a date with a time of day, or how
// long ago it was.
type When struct {
	To *time.Time
	// Now is this machine's clock.
	Now func() time.Time
}

// Set implements pflag.Value.
func (w When) Set(text string) error {
	if ago, ok := query.ParseAge(strings.ToLower(text)); ok {
		*w.To = w.Now().Add(-ago)
		return nil
	}
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if at, err := time.Parse(layout, text); err == nil && at.Year() >= 1 {
			*w.To = at
			return nil
		}
	}
	return errors.New("not a time")
}

// String implements pflag.Value; empty for none.
func (w When) String() string {
	if w.To == nil || w.To.IsZero() {
		return ""
	}
	return w.To.UTC().Format(time.RFC3339)
}

// Type is its name in the help.
func (When) Type() string { return "time" }

// Takes describes its values.
func (When) Takes() string {
	return "a date such as 2026-03-01 (UTC), 2026-03-01T12:00:00Z, or how long ago such as 24h or 7d"
}

// Word is a flag that takes one of its known words.
type Word struct {
	To    *string
	Known []string
}

// Set implements pflag.Value.
func (w Word) Set(text string) error {
	if !slices.Contains(w.Known, text) {
		return errors.New("none of them" + config.DidYouMean(text, w.Known))
	}
	*w.To = text
	return nil
}

// String implements pflag.Value.
func (w Word) String() string {
	if w.To == nil {
		return ""
	}
	return *w.To
}

// mostShown is how long the words may be to stand in the help, in bytes.
const mostShown = 45

// Type is what stands for its value in the help: the words, unless they are many.
func (w Word) Type() string {
	if all := strings.Join(w.Known, "|"); len(all) <= mostShown {
		return all
	}
	return "word"
}

// Takes lists the words.
func (w Word) Takes() string { return "one of " + strings.Join(w.Known, ", ") }

// Meant returns the most similar word, in parentheses.
func (w Word) Meant(text string) string { return config.DidYouMean(text, w.Known) }
