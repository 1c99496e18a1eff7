package alert

import (
	"fmt"
	"testing"
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
