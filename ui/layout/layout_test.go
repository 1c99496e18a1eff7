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
	if main := Arrange(160, 45, Content{Codes: 3}).Panes[Main]; main.W > 80 {
		t.Errorf("the list has %+v", main)
	}
}
