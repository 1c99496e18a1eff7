package copytext_test

import (
	"slices"
	"testing"

	"github.com/cardtop/cardtop/state/copytext"
)

func TestParse(t *testing.T) {
	text := func(s string) copytext.Part { return copytext.Part{Text: s} }
	field := func(f copytext.Field) copytext.Part { return copytext.Part{Field: f} }
	for template, want := range map[string][]copytext.Part{
		"":                    nil,
		"plain":               {text("plain")},
		"{number}|{cvv}":      {field(copytext.Number), text("|"), field(copytext.CVV)},
		"{label}: {address}!": {field(copytext.Label), text(": "), field(copytext.Address), text("!")},
		"{number":             {text("{number")},
		"a}b":                 {text("a}b")},
	} {
		if got := copytext.Parse(template); !slices.Equal(got, want) {
			t.Errorf("%q: %+v, want %+v", template, got, want)
		}
	}
}
