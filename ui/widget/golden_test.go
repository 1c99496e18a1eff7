package widget

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"github.com/cardtop/cardtop/internal/goldentest"
)

var update = flag.Bool("update", false, "write the golden files")

// golden compares lines with testdata/name.golden; escapes are written as ^[.
func golden(t *testing.T, name string, lines []string) {
	t.Helper()
	got := strings.ReplaceAll(strings.Join(lines, "\n")+"\n", "\x1b", "^[")
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := goldentest.Diff(strings.ReplaceAll(string(want), "\r\n", "\n"), got); diff != "" {
		t.Errorf("%s differs (run make golden after looking at it):\n%s", path, diff)
	}
}

// spreads is how many cells fewer a line takes where marks beside a letter are drawn over it.
func spreads(line string) (n int) {
	for line != "" {
		if skip, _ := sequence(line); skip > 0 {
			line = line[skip:]
			continue
		}
		text, cells, bytes := next(line)
		n += max(0, cells-ansi.StringWidth(text))
		line = line[bytes:]
	}
	return n
}

// exact fails unless every line is w cells wide by both ways of measuring,
// is valid UTF-8 and holds nothing but text and styles.
func exact(t interface {
	Helper()
	Fatalf(string, ...any)
}, lines []string, w, h int,
) {
	t.Helper()
	if len(lines) != h {
		t.Fatalf("%d lines, want %d", len(lines), h)
	}
	for y, line := range lines {
		g, wc, own := ansi.StringWidth(line), ansi.StringWidthWc(line), LineWidth(line)
		if g+spreads(line) != w || wc != w || own != w {
			t.Fatalf("line %d is %d/%d/%d cells, want %d: %+q", y, g, wc, own, w, line)
		}
		if !utf8.ValidString(line) {
			t.Fatalf("line %d is not UTF-8: %q", y, line)
		}
		for rest := line; rest != ""; {
			if n, sgr := sequence(rest); n > 0 {
				if !sgr {
					t.Fatalf("line %d holds a control sequence: %q", y, line)
				}
				rest = rest[n:]
				continue
			}
			r, n := utf8.DecodeRuneInString(rest)
			if r < 0x20 || r >= 0x7f && r < 0xa0 {
				t.Fatalf("line %d holds the control %U: %q", y, r, line)
			}
			rest = rest[n:]
		}
	}
}

// shards are pieces that terminals find hard, mixed by hostile.
func shards() []string {
	return []string{
		"a", "card", " ", "0", "/", "é", "e\u0301", "\u0301", "\u0301\u0302\u0303\u0304\u0305\u0306\u0307\u0308\u0309",
		"世", "界", "カ", "ｶ", "한", "ᄀ", "ᅡ", "ᆨ", "שלום", "مرحبا", "\u0600", "\u06dd", "हि", "न", "ि", "क्ष",
		"👨‍👩‍👧‍👦", "👍🏽", "❤️", "❤", "🇺🇸", "🇺", "1️⃣", "🏴‍☠️", "\u200d", "\ufe0f", "👩", "☃", "⚡", "©", "…", "•", "█", "▸",
		"\u202e", "\u2066", "\u200f", "\u00ad", "\u200b", "\ufeff", "\u2028", "\u0085", "\u009b31m", "\u3000",
		"\x1b", "\x1b[31m", "\x1b]52;c;aGk=\x07", "\x1b[2J", "\x1bP", "\x07", "\n", "\r", "\t", "\x00", "\x7f", "\xff", "\xf0\x9f", "\x9b",
		"\U000E0041", "\U0001F9D1", "﷽", "⸻", "𓀀", "ꧏ",
	}
}

func hostile() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		parts := rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(shards()), rapid.String()), 0, 24).Draw(t, "parts")
		return strings.Join(parts, "")
	})
}

func width() *rapid.Generator[int] { return rapid.IntRange(0, 220) }
