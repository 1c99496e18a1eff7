package widget

import (
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// The width of a cluster rune by rune is that of the library, for every rune there is.
func TestByRunesIsWhatTheLibrarySays(t *testing.T) {
	for r := rune(0x20); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		if got, want := byRunes(string(r)), ansi.StringWidthWc(string(r)); got != want {
			t.Errorf("%U: %d cells, the library says %d", r, got, want)
		}
	}
}
