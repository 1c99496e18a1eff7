package cli

import (
	"errors"
	"regexp"
)

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
