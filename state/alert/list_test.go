package alert

import (
	"fmt"
	"testing"

	"github.com/cardtop/cardtop/internal/lang"
)

// TestWhatIsOverEnds also holds that nothing is allocated for those that are not: it is
// asked for each card that was compared.
func TestWhatIsOverEnds(t *testing.T) {
	var l List
	for i := range 6 {
		l.Raise(Alert{ID: ID(fmt.Sprint(i)), Kind: WalletLow}, false)
	}
	none := func(*Alert) bool { return false }
	if n := testing.AllocsPerRun(10, func() { l.EndIf(none) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if l.EndIf(none) || len(l.rows) != 6 {
		t.Errorf("%d alerts of 6", len(l.rows))
	}
	left := func() (ids string) {
		for _, a := range l.rows {
			ids += string(a.ID)
		}
		return ids
	}
	if !l.EndIf(func(a *Alert) bool { return a.ID == "0" || a.ID == "3" || a.ID == "5" }) || left() != "124" {
		t.Errorf("left is %s", left())
	}
	if !l.EndIf(func(*Alert) bool { return true }) || left() != "" {
		t.Errorf("left is %s", left())
	}
}

// TestAnotherLanguageIsSpokenAtOnce also of what happened and is not compared again; what other
// programs read stays as it is.
func TestAnotherLanguageIsSpokenAtOnce(t *testing.T) {
	var l List
	say := func(w *lang.Words) string { return w.Tf("%d %% declined", 30) + " " + w.T("campaign") }
	l.Raise(l.Saying(Alert{ID: "1", Kind: Declined}, say), false)
	l.Raise(l.Saying(Alert{ID: "1", Kind: Declined, Count: 2}, func(w *lang.Words) string { return w.T("campaign") }), false)
	for _, name := range []string{"ru", "uk", "en"} {
		w := lang.Of(name)
		l.Speak(w)
		if a := l.Find("1"); a.Shown != w.T("campaign") || a.Text != "campaign" {
			t.Errorf("%s: shown is %q, text %q", name, a.Shown, a.Text)
		}
	}
	if lang.Of("ru").T("campaign") == "campaign" {
		t.Error("that text is not translated")
	}
}
