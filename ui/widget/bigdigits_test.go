package widget_test

import (
	"strings"
	"testing"

	"github.com/cardtop/cardtop/ui/widget"
)

func TestBigDigits(t *testing.T) {
	for _, tt := range []struct {
		large bool
		width int
	}{{false, 6*3 + 6 + 1}, {true, 2 * (6*3 + 6 + 1)}} {
		lines, ok := widget.BigDigits("048 913", tt.large)
		if !ok || len(lines) != widget.BigRows(tt.large) {
			t.Fatalf("large %v: %d lines, %v", tt.large, len(lines), ok)
		}
		for _, l := range lines {
			if w := widget.Width(l); w != tt.width {
				t.Errorf("large %v: a line of %d cells, want %d: %q", tt.large, w, tt.width, l)
			}
		}
	}
	if _, ok := widget.BigDigits("A1", false); ok {
		t.Error("a letter was drawn")
	}
}

// TestEveryBigDigitIsItsOwn reads every digit apart from the others.
func TestEveryBigDigitIsItsOwn(t *testing.T) {
	for _, large := range []bool{false, true} {
		seen := make(map[string]rune)
		for _, r := range "0123456789" {
			lines, _ := widget.BigDigits(string(r), large)
			drawn := strings.Join(lines, "\n")
			if other, taken := seen[drawn]; taken {
				t.Errorf("%c looks like %c", r, other)
			}
			seen[drawn] = r
		}
	}
}
