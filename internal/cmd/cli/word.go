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
