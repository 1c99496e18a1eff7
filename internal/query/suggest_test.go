package query_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/internal/query"
)

// TestWhatIsSuggestedIsATerm: a suggestion without a value misses that value only, any
// other is a filter that finds what has the value.
func TestWhatIsSuggestedIsATerm(t *testing.T) {
	labels := []string{"fb/01", "a b", "x,y", "/slash", "a=b", "q<1", "!no", "~"}
	l := query.Cards[string]{
		Holds: func(text string, want *query.Needle) bool { return want.In(text) }, Status: func(string) string { return "active" },
		Label: func(s string) string { return s },
	}.Language()
	values := func(string) []string { return labels }
	n := 0
	for _, begin := range []string{"", "x ", "!", "l", "label~", "label=", "!label=", "bal<20 label=", "label=fb/01,", `label="`, `label=A`, "status=", "status!=a"} {
		for _, s := range l.Suggest(begin, values) {
			n++
			q, err := l.Parse(s.Text)
			if err != nil && !strings.Contains(begin, "bal") || !strings.HasPrefix(strings.ToLower(s.Text), strings.ToLower(strings.TrimSuffix(begin, `"`))[:strings.LastIndexAny(begin, " ,=~")+1]) {
				t.Errorf("%q suggests %q: %v", begin, s.Text, err)
				continue
			}
			if s.Open != (q.Hint() != "") && err == nil {
				t.Errorf("%q suggests %q: %q", begin, s.Text, q.Hint())
			}
		}
	}
	if n < 40 {
		t.Errorf("only %d suggestions", n)
	}
	for _, label := range labels {
		found := slices.ContainsFunc(l.Suggest("label=", values), func(s query.Suggestion) bool {
			q, err := l.Parse(s.Text)
			return err == nil && !q.All() && q.Match(label) && !q.Match(label+"x")
		})
		if !found {
			t.Errorf("nothing that is suggested finds %q", label)
		}
	}
	if got := l.Suggest("bal", values); len(got) != 0 {
		t.Errorf("a field that is not there: %v", got)
	}
}
