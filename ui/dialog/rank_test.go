package dialog

import "testing"

func TestRankPutsTheBestFirst(t *testing.T) {
	texts := []string{"Sort by the next column", "Sort the other way round", "Resort", "Show number and expiry"}
	for _, c := range []struct {
		typed string
		want  [4]bool
	}{
		{"", [4]bool{true, true, true, true}},
		{"sort", [4]bool{true, true, true, false}},
		{"SORT other", [4]bool{false, true, false, false}},
		{"srt", [4]bool{true, true, true, false}},
		{"zz", [4]bool{}},
	} {
		for i, text := range texts {
			if _, ok := rank(c.typed, text); ok != c.want[i] {
				t.Errorf("%q in %q: %t", c.typed, text, ok)
			}
		}
	}
	start, _ := rank("sort", texts[0])
	within, _ := rank("sort", texts[2])
	letters, _ := rank("srt", texts[0])
	if start <= within || within <= letters {
		t.Errorf("%d, %d, %d", start, within, letters)
	}
}
