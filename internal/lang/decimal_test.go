package lang_test

import (
	"testing"

	"github.com/cardtop/cardtop/internal/lang"
)

// TestSeparatorsAreThoseOfTheLocale, by the variable that counts first.
func TestSeparatorsAreThoseOfTheLocale(t *testing.T) {
	for locale, want := range map[string]string{
		"de_DE.UTF-8": ";,", "de@euro": ";,", "de_CH.UTF-8": ";.", "fr_CH": ";.", "es_MX": ",.", "es_PE": ",.", "es_ES": ";,", "ru_RU.UTF-8": ";,", "en_GB.UTF-8": ",.", "C": ",.", "": ",.", "ja_JP": ",.",
	} {
		for _, name := range []string{"LC_ALL", "LC_NUMERIC", "LANG"} {
			cells, decimal := lang.Separators(func(v string) string {
				switch {
				case v == name:
					return locale
				case v == "LANG" && locale != "":
					return "nl_NL"
				}
				return ""
			})
			if cells+decimal != want {
				t.Errorf("%s=%s: %q and %q", name, locale, cells, decimal)
			}
		}
	}
}
