package lang

import (
	"os"
	"regexp"
	"slices"
	"testing"
)

// verbs are those of a format, with what names their argument.
var verbs = regexp.MustCompile(`%(\[\d+\])?[-+ #0]*\d*(\.\d+)?(\[\d+\])?[a-zA-Z%]`)

// TestTranslationsHaveTheVerbsOfTheirTexts holds that a format is filled in with what
// it is made for.
func TestTranslationsHaveTheVerbsOfTheirTexts(t *testing.T) {
	t.Parallel()
	for _, name := range Names()[1:] {
		err := Entries(os.DirFS("po"), ".", name, func(e Entry) {
			for _, form := range e.Forms {
				if form != "" && !slices.Equal(verbsOf(form), verbsOf(e.ID)) {
					t.Errorf("%s: %q is translated as %q", name, e.ID, form)
				}
			}
			if e.Plural != "" && len(e.Forms) != 3 {
				t.Errorf("%s: %q has %d forms", name, e.ID, len(e.Forms))
			}
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// verbsOf returns the verbs of a format, in order, without what names their argument.
func verbsOf(format string) []string {
	var all []string
	for _, verb := range verbs.FindAllString(format, -1) {
		all = append(all, regexp.MustCompile(`\[\d+\]`).ReplaceAllString(verb, ""))
	}
	slices.Sort(all)
	return all
}
