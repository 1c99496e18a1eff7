package cards

import (
	"time"

	"github.com/cardtop/cardtop/internal/query"
)

// watch counts the cards that match a filter which is not active.
type watch struct {
	query   query.Query[*subject]
	matches []bool
	count   int
}

// watchEvery is how often filters that change with the time are counted anew.
const watchEvery = 10 * time.Second

// watchAll counts other filters from now on.
func (x *index) watchAll(queries []query.Query[*subject]) {
	x.watches = make([]watch, len(queries))
	for i := range x.watches {
		x.watches[i].query = queries[i]
	}
	x.recount(false)
}

// recount asks the watched filters of every card, or only those that change
// with the time.
func (x *index) recount(timed bool) {
	if x.store == nil {
		return
	}
	x.asking()
	x.counted = x.asked.now
	for i := range x.watches {
		w := &x.watches[i]
		if timed && !w.query.Timed() {
			continue
		}
		w.matches, w.count = make([]bool, len(x.entries)), 0
		for row := range x.entries {
			x.watched(w, int32(row))
		}
	}
}

// watched asks a watched filter of a card anew.
func (x *index) watched(w *watch, row int32) {
	match := w.query.Match(x.asked.about(row))
	switch was := w.matches[row]; {
	case match && !was:
		w.count++
	case !match && was:
		w.count--
	}
	w.matches[row] = match
}

// watchChanged takes the cards that changed into the counts.
func (x *index) watchChanged(changed []int32) {
	for i := range x.watches {
		w := &x.watches[i]
		w.matches = append(w.matches, make([]bool, len(x.entries)-len(w.matches))...)
		for _, row := range changed {
			x.watched(w, row)
		}
	}
}

// tick counts anew what the time changed.
func (x *index) tick(now time.Time) (changed bool) {
	if now.Sub(x.counted) < watchEvery {
		return false
	}
	for i := range x.watches {
		if x.watches[i].query.Timed() {
			x.recount(true)
			return true
		}
	}
	return false
}
