package cli

import (
	"errors"
	"regexp"
	"strings"

	"github.com/cardtop/cardtop/api"
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
