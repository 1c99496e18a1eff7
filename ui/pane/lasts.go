package pane

import (
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/burn"
)

// Lasts is how long a balance lasts, such as 40 m, 5.2 h or ≤1.3 d.
func Lasts(w *lang.Words, r burn.Runway) string { return r.Short(w) }

// LastsRange is how long a balance lasts with its range: 1.3 d (0.9–1.8).
func LastsRange(w *lang.Words, r burn.Runway) string { return r.Text(w) }
