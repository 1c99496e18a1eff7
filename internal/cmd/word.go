package cmd

import (
	"errors"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/internal/config"
)

// word is a flag that takes one of its known words.
type word struct {
	to    *string
	known []string
}

// Set implements pflag.Value.
func (w word) Set(text string) error {
	if !slices.Contains(w.known, text) {
		return errors.New("none of them" + config.DidYouMean(text, w.known))
	}
	*w.to = text
	return nil
}

// String implements pflag.Value.
func (w word) String() string {
	if w.to == nil {
		return ""
	}
	return *w.to
}

// Type is its name in the help.
func (word) Type() string { return "word" }

// Takes lists the words.
func (w word) Takes() string { return "one of " + strings.Join(w.known, ", ") }

// Meant returns the most similar word, in parentheses.
func (w word) Meant(text string) string { return config.DidYouMean(text, w.known) }
