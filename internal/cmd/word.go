package cmd

import (
	"errors"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/internal/config"
)

// word is a flag that takes one of some words.
type word struct {
	to    *string
	known []string
}

// Set takes one of them.
func (w word) Set(text string) error {
	if !slices.Contains(w.known, text) {
		return errors.New("none of them" + config.DidYouMean(text, w.known))
	}
	*w.to = text
	return nil
}

// String is the word.
func (w word) String() string {
	if w.to == nil {
		return ""
	}
	return *w.to
}

// Type names it in the help.
func (word) Type() string { return "word" }

// Takes names them all.
func (w word) Takes() string { return "one of " + strings.Join(w.known, ", ") }

// Meant is the word that another most likely stands for, in brackets.
func (w word) Meant(text string) string { return config.DidYouMean(text, w.known) }
