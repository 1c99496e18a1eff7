package api

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
)

func TestClean(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", "Meta Platforms", "Meta Platforms"},
		{"accents and scripts", "Café Ünï – 東京 مقهى Москва", "Café Ünï – 東京 مقهى Москва"},
		{"emoji", "a 🚀 b", "a 🚀 b"},
		{"flag", "🇩🇪", "🇩🇪"},
		{"line break", "a\r\nb\tc\n\n\nd", "a b c d"},
		{"unicode line breaks", "a\u2028b\u2029c\u0085d", "a b c d"},
		{"c0", "a\x00\x07\x08b\x7fc", "abc"},
		{"c1", "a\u0080\u0084b", "ab"},
		{"colour", "a\x1b[31mred\x1b[0m", "ared"},
		{"final bytes", "a\x1b[2@b\x1b[Ac\x1b[1~d", "abcd"},
		{"eight-bit csi", "a\u009b31mred", "ared"},
		{"window title by bel", "a\x1b]0;owned\x07b", "ab"},
		{"clipboard by st", "a\x1b]52;c;aGk=\x1b\\b", "ab"},
		{"clipboard by eight-bit st", "a\u009d52;c;aGk=\u009cb", "ab"},
		{"link", "\x1b]8;;http://evil\x1b\\text\x1b]8;;\x1b\\", "text"},
		{"dcs", "a\x1bPq#0\x1b\\b", "ab"},
		{"apc pm sos", "a\x1b_x\x1b\\b\x1b^x\x1b\\c\x1bXx\x1b\\d", "abcd"},
		{"charset", "a\x1b(0b", "ab"},
		{"reset", "a\x1bcb", "ab"},
		{"unfinished csi", "a\x1b[12;", "a"},
		{"csi cut by text", "a\x1b[1é", "aé"},
		{"unfinished osc", "a\x1b]0;title", "a"},
		{"escape at the end", "a\x1b", "a"},
		{"bidi override", "a\u202egnp.exe\u202c", "agnp.exe"},
		{"bidi isolates and marks", "a\u2066b\u2069c\u200ed\u200fe\u061cf", "abcdef"},
		{"zero width", "a\u200bb\u200cc\u200dd\ufeffe\u2060f\u00adg", "abcdefg"},
		{"fillers", "a\u3164b\u115fc\uffa0d", "abcd"},
		{"tags", "a\U000e0041\U000e007fb", "ab"},
		{"variation selectors", "❤\ufe0f a\U000e0100", "❤ a"},
		{"invalid utf-8", "a\xff\xfeb", "a\ufffd\ufffdb"},
		{"raw c1 byte", "a\x9b31mb", "a\ufffd31mb"},
		{"private use", "a\ue000b", "a\ufffdb"},
		{"unassigned", "a\u0378b", "a\ufffdb"},
		{"marks are capped", "a" + strings.Repeat("\u0301", 40) + "b", "a\u0301\u0301\u0301b"},
		{"a mark without a base", "\u0301a", "a"},
		{"piled up", strings.Repeat("\u1100", 20), "\ufffd"},
		{"256 graphemes", strings.Repeat("é", 300), strings.Repeat("é", 256)},
		{"256 bytes of ascii", strings.Repeat("x", 300), strings.Repeat("x", 256)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := string(Clean(tt.in)); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestTextJSON(t *testing.T) {
	var v struct {
		A, B Text
		C    CardStatus
		D    CardID
		E    Crypto
	}
	in := `{"A":"x\u001b[31my\u0000","B":null,"C":"fro\u202ezen","D":"card_123","E":"0.5\n"}`
	must(t, json.Unmarshal([]byte(in), &v))
	if v.A != "xy" || v.B != "" || v.C != "frozen" || v.D != "card_123" || v.E != "0.5 " {
		t.Errorf("got %+q", v)
	}
	for _, bad := range []string{`{"A":1}`, `{"C":[]}`, `{"D":7}`, `{"D":"card_é"}`, `{"D":"card_1\n"}`, `{"D":"card 1"}`, `{"D":"\u001bcard_1"}`, `{"E":{}}`} {
		if json.Unmarshal([]byte(bad), &v) == nil {
			t.Errorf("%s was taken", bad)
		}
	}
}

func FuzzClean(f *testing.F) {
	for _, s := range []string{
		"plain", "a\x1b[31mb", "\u009d0;t\u009c", "\x1b]52;c;\x07", "e\u0301\u0301\u0301\u0301", "🇩🇪🇩", "👨\u200d👩\u200d👧",
		"\xff\x9b", "\u202e", "\r\n\t", "ᄀᄀᄀᄀᄀᄀᄀᄀ각", "क्ष", strings.Repeat("a\u0300", 400), "\u0600a", "\x1b\x1b[m[m",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := string(Clean(s))
		if !utf8.ValidString(got) {
			t.Fatalf("%q: not UTF-8", got)
		}
		marks := 0
		for _, r := range got {
			if r != utf8.RuneError && !unicode.IsGraphic(r) || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
				t.Fatalf("%q: %U survives", got, r)
			}
			if marks++; !unicode.Is(unicode.M, r) {
				marks = 0
			}
			if marks > maxMarks {
				t.Fatalf("%q: too many marks", got)
			}
		}
		n := 0
		for it := graphemes.FromString(got); it.Next(); n++ {
		}
		if n > maxGraphemes {
			t.Fatalf("%d graphemes", n)
		}
		if again := string(Clean(got)); again != got {
			t.Fatalf("%q cleaned again is %q", got, again)
		}
	})
}
