package lang_test

import (
	"testing"

	"github.com/cardtop/cardtop/internal/lang"
)

// TestDecimalCommasAreThoseOfTheLocale, by the variable that counts first.
func TestDecimalCommasAreThoseOfTheLocale(t *testing.T) {
	for locale, want := range map[string]bool{"de_DE.UTF-8": true, "de_CH.UTF-8": false, "es_MX": false, "ru_RU.UTF-8": true, "en_GB.UTF-8": false, "C": false, "": false, "ja_JP": false} {
		for _, name := range []string{"LC_ALL", "LC_NUMERIC", "LANG"} {
			got := lang.DecimalComma(func(v string) string {
				switch v {
				case name:
					return locale
				case "LANG":
					return "de_DE"
				}
				return ""
			})
			if locale == "" {
				want = name != "LANG"
			}
			if got != want {
				t.Errorf("%s=%s: %v", name, locale, got)
			}
		}
	}
}
