package cli

import (
	"errors"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/internal/config"
)

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

// Type is its name in the help.
func (Word) Type() string { return "word" }

// Takes lists the words.
func (w Word) Takes() string { return "one of " + strings.Join(w.Known, ", ") }

// Meant returns the most similar word, in parentheses.
func (w Word) Meant(text string) string { return config.DidYouMean(text, w.Known) }
