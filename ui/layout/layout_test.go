package layout

import "testing"

// TestAScreenOverTheListHasTheWholeWidth from 120 columns on, beside nothing;
// the codes stay in sight, and all of the screen is somebody's.
func TestAScreenOverTheListHasTheWholeWidth(t *testing.T) {
	for w := 120; w <= 300; w += 4 {
		for h := 24; h <= 70; h += 3 {
			l := Arrange(w, h, Content{Codes: 3, Screen: true})
			if main := l.Panes[Main]; main.W != w || main.H < 8 {
				t.Errorf("%dx%d: the screen has %+v", w, h, main)
			}
			cells := 0
			for _, r := range l.Panes {
				cells += r.W * r.H
			}
			if l.Shape == Over && cells != w*(h-2) {
				t.Errorf("%dx%d: %d cells are shared out of %d", w, h, cells, w*(h-2))
			}
			if l.Shape != Tabbed && l.Panes[Codes].H < 4 {
				t.Errorf("%dx%d: the codes have %+v", w, h, l.Panes[Codes])
			}
		}
	}
	for _, slot := range []int{Main, Codes, Feed, Wallet} {
		for _, screen := range []bool{false, true} {
			l := Arrange(240, 60, Content{Codes: 3, Focus: slot, Screen: screen, Zoom: true})
			if r := l.Panes[slot]; r.W != 240 || r.H != 56 || l.Strip.W != 240 || l.Summary == screen {
				t.Errorf("zoomed, the slot %d has %+v", slot, l)
			}
		}
	}
	for _, size := range [][2]int{{40, 12}, {80, 24}, {100, 30}, {160, 45}, {199, 60}, {240, 20}} {
		l := Arrange(size[0], size[1], Content{Codes: 3, Focus: Summary})
		if l.Summary || l.Has(Summary) || l.Panes[Summary].W > 0 || l.Panes[Main].W == 0 || l.Next(Wallet, 1) == Summary {
			t.Errorf("%v: the summary has room in %+v", size, l)
		}
	}
	if main := Arrange(160, 45, Content{Codes: 3}).Panes[Main]; main.W > 80 {
		t.Errorf("the list has %+v", main)
	}
}
