package cardcsv_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cardtop/cardtop/internal/cardcsv"
	_ "github.com/cardtop/cardtop/internal/rapidtest" // the same cases in each run
)

func TestWhatWouldBeAFormulaIsInert(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":           "",
		"plain":      "plain",
		"a=b":        "a=b",
		"=1+2":       "'=1+2",
		"x;=1+2":     "x;'=1+2",
		"x; =1+2":    "x;' =1+2",
		"x\t@SUM(1)": "x\t'@SUM(1)",
		"x\n-1":      "x\n'-1",
		"＝1+2":       "'＝1+2",
		`"=1`:        `'"=1`,
		"'=1":        "''=1",
		";=1":        ";'=1",
		"a;b;+c":     "a;b;'+c",
		"it's":       "it's",
		"-":          "'-",
		"\tx":        "\tx",
		"\t=1":       "\t'=1", // Also where the tab is dropped.
	} {
		if got := cardcsv.Inert(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

// TestWhatWasMadeInertComesBack whatever it was, and no part of it is a formula where any of the separators splits it.
func TestWhatWasMadeInertComesBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{"a", "=", "+", "'", `"`, ";", "\t", "\n", "\r", " ", "＝", "－", "@", ",", "я", "\xff"})).Draw(t, "text"), "")
		inert := cardcsv.Inert(text)
		if got := cardcsv.Live(inert); got != text {
			t.Fatalf("%q became %q and %q", text, inert, got)
		}
		for _, part := range strings.FieldsFunc(inert, func(r rune) bool { return strings.ContainsRune(";\t\r\n", r) }) {
			if strings.ContainsAny(strings.TrimLeft(part, "\" ")[:min(1, len(strings.TrimLeft(part, "\" ")))], "=+-@") {
				t.Fatalf("%q has the formula %q", inert, part)
			}
		}
	})
}
