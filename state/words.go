package state

import "github.com/cardtop/cardtop/api"

// Sanitise takes out of a text what a terminal would act on.
func Sanitise(text string) string { return string(api.Clean(text)) }

// Explain puts an error in a person's words, for programs without a screen.
func Explain(err error) string { return explain(err) }

// Name calls the card by its label and last digits.
func (c Card) Name() string {
	if c.Label == "" {
		return "••" + string(c.Last4)
	}
	return string(c.Label) + " ••" + string(c.Last4)
}
