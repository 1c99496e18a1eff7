package txns

import (
	"cmp"
	"slices"

	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/state/views"
)

// timeColumn is the column that the feed is first sorted by, the newest on
// top: only so it is live.
const timeColumn = "time"

// sortNext asks to sort by the shown column after the current one.
func (p *Pane) sortNext() []kernel.Intent {
	at := slices.IndexFunc(p.columns, func(c column) bool { return c.Name == p.by.Name })
	return p.sortOn(p.columns[(at+1)%len(p.columns)])
}

// sortOn asks to sort by a column, the other way round when it already is.
func (p *Pane) sortOn(c column) []kernel.Intent {
	if c.Name == p.by.Name {
		return p.sortBy(c.Name, !p.desc)
	}
	return p.sortBy(c.Name, c.number != nil)
}

func (p *Pane) sortBy(name string, desc bool) []kernel.Intent {
	v := p.view
	v.Sort, v.Desc = name, desc
	return []kernel.Intent{views.Set{List: settings.FeedList, View: v}}
}

// sortAs sets what the feed is sorted by; what no column is called is the
// time.
func (p *Pane) sortAs(v settings.View) {
	all := columns()
	at := slices.IndexFunc(all, func(c column) bool { return c.Name == v.Sort })
	if at < 0 {
		at, v.Desc = slices.IndexFunc(all, func(c column) bool { return c.Name == timeColumn }), true
	}
	p.by, p.desc = all[at], v.Desc
}

// newestFirst reports whether the feed is in the order in which it came.
func (p *Pane) newestFirst() bool { return p.by.Name == timeColumn && p.desc }

// arrange sorts rows that are in the order of time, the newest first; those
// that are equal stay so.
func (p *Pane) arrange(order []int) {
	if p.newestFirst() {
		return
	}
	type key struct {
		row    int
		number int64
		text   string
	}
	keys := make([]key, len(order))
	for i, row := range order {
		keys[i].row = row
		switch t := p.at(row); {
		case p.by.number != nil:
			keys[i].number = p.by.number(t)
		case p.by.Name == whyColumn:
			keys[i].text = p.why(t)
		case p.by.text != nil:
			keys[i].text = p.folds.text(p.by.text(t))
		default:
			keys[i].text = p.folds.name(p.store, t.CardID)
		}
	}
	slices.SortStableFunc(keys, func(a, b key) int {
		c := cmp.Or(cmp.Compare(a.number, b.number), cmp.Compare(a.text, b.text))
		if p.desc {
			return -c
		}
		return c
	})
	for i, k := range keys {
		order[i] = k.row
	}
}

// sorted says how the feed is sorted when that is not by time.
func (p *Pane) sorted() string {
	w := p.theme.Words
	name := w.Title(p.by.Name)
	switch {
	case p.newestFirst():
		return ""
	case p.by.number == nil && p.desc:
		return w.Tf("by %s, z to a", name)
	case p.by.number == nil:
		return w.Tf("by %s", name)
	case p.desc:
		return w.Tf("by %s, highest first", name)
	}
	return w.Tf("by %s, lowest first", name)
}
