package query

import (
	"cmp"
	"errors"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
)

// Unit is what the numbers of a figure are.
type Unit uint8

// The units: USD as in api.USD, nanoseconds, and hundredths of a percent.
const (
	Dollars Unit = iota + 1
	Nanoseconds
	Percent
)

// hundredths is how many parts of Percent are one percent.
const hundredths = 100

// Figure is a number that may not be known, or only within bounds. A comparison
// holds where it does at both bounds, and never for what is not known: nothing is
// found, or done, by a guess.
type Figure struct {
	Least, Most int64
	Known       bool
}

// Exactly is a figure that is known.
func Exactly(n int64) Figure { return Figure{n, n, true} }

// PercentOf is a part of a whole as a figure of Percent; not known where there is
// no whole.
func PercentOf(part, whole int64) Figure {
	if whole <= 0 {
		return Figure{}
	}
	return Exactly(part * 100 * hundredths / whole)
}

// Unused is how long a card was not used, in Nanoseconds, by a list of uses that was read
// back to since: used is the last of them, zero for none. One without a use was not
// used since it was created or, where that is longer ago, since the list begins at
// least. It is not known where nothing was read, now being zero then.
func Unused(used, created, since, now time.Time) Figure {
	if used.IsZero() && created.After(since) {
		used = created // All of its life was read.
	}
	switch {
	case now.IsZero():
		return Figure{}
	case used.Before(since):
		return Figure{Least: int64(now.Sub(since)), Most: math.MaxInt64, Known: true}
	}
	return Exactly(int64(max(0, now.Sub(used))))
}

// compare reports whether a comparison with a bound holds.
func (f Figure) compare(op string, bound int64) bool {
	return f.Known && holds(op, cmp.Compare(f.Least, bound)) && holds(op, cmp.Compare(f.Most, bound))
}

// bound reads what a figure is compared with; false when it is none.
func (u Unit) bound(text string) (n int64, ok bool) {
	text = unquote(text)
	switch u {
	case Nanoseconds:
		age, ok := ParseAge(strings.ToLower(text))
		return int64(age), ok
	case Percent:
		f, err := strconv.ParseFloat(strings.TrimSuffix(text, "%"), 64)
		return int64(f * hundredths), err == nil && f >= 0 && f <= 100
	default:
		amount, err := dollars(text)
		return int64(amount), err == nil
	}
}

// wants is the format of what a field is compared with.
func (u Unit) wants() string {
	switch u {
	case Nanoseconds:
		return lang.N("%s: a time such as 30m, 2h or 7d, as in %s")
	case Percent:
		return lang.N("%s: percent, as in %s")
	default:
		return lang.N("%s: USD an hour, as in %s")
	}
}

// none is the format of what is wrong with a value.
func (u Unit) none() string {
	switch u {
	case Nanoseconds:
		return lang.N("%s is no time such as 30m, 2h or 7d, as in %s")
	case Percent:
		return lang.N("%s is no percentage, as in %s")
	default:
		return lang.N("%s is no amount, as in %s")
	}
}

// example is the end of a term.
func (u Unit) example() string {
	switch u {
	case Nanoseconds:
		return "<2d"
	case Percent:
		return ">20"
	default:
		return ">10"
	}
}

// grouped matches an amount whose commas separate thousands.
var grouped = regexp.MustCompile(`^-?[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?$`)

// decimalComma matches a number whose decimals follow a comma.
var decimalComma = regexp.MustCompile(`^\$?-?[0-9]+(,[0-9]+)+%?$`)

var errComma = errors.New("parse amount: its comma separates no thousands")

// dollars reads an amount in USD: 20, $20.50, 1,000. A comma may separate thousands and
// nothing else: 20,50 is not guessed to be 2050, nor 20.50. There are no exponents.
func dollars(text string) (api.USD, error) {
	text = strings.TrimPrefix(text, "$")
	if strings.Contains(text, ",") {
		if !grouped.MatchString(text) {
			return 0, errComma
		}
		text = strings.ReplaceAll(text, ",", "")
	}
	return api.ParseTyped(text)
}

// notDollars is what is wrong with an amount; wrong is the format for what is none.
func notDollars(w *lang.Words, text, wrong, example string) string {
	if _, err := dollars(text); errors.Is(err, errComma) && decimalComma.MatchString(text) {
		return w.Tf("%s: decimals follow a dot, as in 12.50", text)
	}
	return w.Tf(wrong, text, example)
}
