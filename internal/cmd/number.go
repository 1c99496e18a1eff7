package cmd

import (
	"errors"
	"regexp"
)

// number is a flag that takes a number and keeps it as it was typed: money is
// never a float here.
type number string

var decimal = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?$`)

// Set takes it.
func (n *number) Set(text string) error {
	if !decimal.MatchString(text) {
		return errors.New("not a number")
	}
	*n = number(text)
	return nil
}

// String is the number.
func (n *number) String() string { return string(*n) }

// Type names it in the help.
func (*number) Type() string { return "number" }

// Takes says what it takes.
func (*number) Takes() string { return "a number such as 12.50" }
