package ui

import "testing"

// TestAScreenOverTheListHasTheWholeWidth from 120 columns on, beside nothing;
// the codes stay in sight, and all of the screen is somebody's.
func TestAScreenOverTheListHasTheWholeWidth(t *testing.T) {
	for w := 120; w <= 300; w += 4 {
		for h := 24; h <= 70; h += 3 {
			l := arrange(w, h, shown{codes: 3, screen: true})
			if main := l.panes[slotMain]; main.w != w || main.h < 8 {
				t.Errorf("%dx%d: the screen has %+v", w, h, main)
			}
			cells := 0
			for _, r := range l.panes {
				cells += r.w * r.h
			}
			if l.shape == over && cells != w*(h-2) {
				t.Errorf("%dx%d: %d cells are shared out of %d", w, h, cells, w*(h-2))
			}
			if l.shape != tabbed && l.panes[slotCodes].h < 4 {
				t.Errorf("%dx%d: the codes have %+v", w, h, l.panes[slotCodes])
			}
		}
	}
	if main := arrange(160, 45, shown{codes: 3}).panes[slotMain]; main.w > 80 {
		t.Errorf("the list has %+v", main)
	}
}
