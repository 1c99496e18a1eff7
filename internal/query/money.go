package query

import (
	"errors"
	"regexp"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
)

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
