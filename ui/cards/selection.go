package cards

import (
	"maps"
	"slices"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/ui/pane"
)

// selection is the selected cards: cards by their ids, whatever is sorted, filtered
// or read again, and a range that follows the cursor.
type selection struct {
	ids map[api.CardID]bool
	// from is where the range began; empty when there is none.
	from api.CardID
	// copied is the card that was copied last of them.
	copied api.CardID
}

// toggle chooses a card, or no longer.
func (c *selection) toggle(id api.CardID) {
	if c.ids[id] {
		delete(c.ids, id)
	} else if id != "" {
		c.add(id)
	}
}

func (c *selection) add(id api.CardID) {
	if c.ids == nil {
		c.ids = make(map[api.CardID]bool)
	}
	c.ids[id] = true
}

// choose does what a key asks of the selection; false when it asks for
// something else.
func (p *Pane) choose(a keymap.Action) (intents []kernel.Intent, done bool) {
	switch a {
	case keymap.Choose:
		if g, ok := p.underHead(); ok {
			intents = p.chooseGroup(g)
		} else {
			p.selected.toggle(p.cursor)
		}
		p.table.Move(1)
		p.bindCursor()
	case keymap.Range:
		g, head := p.underHead()
		switch {
		case p.selected.from != "":
			p.endRange(true)
		case head:
			return p.groupHint(g), true
		default:
			p.selected.from = p.cursor
		}
	case keymap.ChooseAll:
		p.endRange(false)
		for _, row := range p.index.order {
			p.selected.add(p.store.Cards.All().ID(int(row)))
		}
	default:
		return nil, false
	}
	p.placed = true
	return intents, true
}

// Ranging reports whether a range follows the cursor.
func (p *Pane) Ranging() bool { return p.selected.from != "" }

// Backs reports whether esc has something to do here.
func (p *Pane) Backs() bool {
	return p.selected.from != "" || p.filter.On() || len(p.selected.ids) > 0
}

// back leaves the range, else clears the filter, else the selection; false
// when there is none of them.
func (p *Pane) back() bool {
	switch {
	case p.selected.from != "":
		p.endRange(false)
	case p.filter.On():
		p.filter.Act(keymap.Back)
		p.applyFilter()
	case len(p.selected.ids) > 0:
		p.selected = selection{}
	default:
		return false
	}
	return true
}

// endRange leaves the range; what is in it is chosen or not.
func (p *Pane) endRange(keep bool) {
	if keep {
		first, last := p.inRange()
		for at := first; at < last; at++ {
			if id := p.at(at); id != "" {
				p.selected.add(id)
			}
		}
	}
	p.selected.from = ""
}

// inRange returns the rows of the range on the screen as [first, last).
func (p *Pane) inRange() (first, last int) {
	if p.selected.from == "" {
		return 0, 0
	}
	to, ok := p.table.Cursor()
	if !ok {
		return 0, 0
	}
	from, ok := p.index.line(p.selected.from)
	if !ok { // The filter hides where it began.
		from = to
	}
	return min(from, to), max(from, to) + 1
}

// marks returns a test for whether the card in a row of the screen is chosen.
func (p *Pane) marks() func(row int) bool {
	first, last := p.inRange()
	return func(row int) bool {
		id := p.at(row)
		return id != "" && (row >= first && row < last || p.selected.ids[id])
	}
}

// Chosen returns the chosen cards: those on the screen in their order, then
// those that the filter hides.
func (p *Pane) Chosen() []api.CardID {
	if p.store == nil || len(p.selected.ids) == 0 && p.selected.from == "" {
		return nil
	}
	first, last := p.inRange()
	rows := slices.DeleteFunc(slices.Clone(p.index.lines[first:last]), func(line int32) bool { return line < 0 })
	for id := range p.selected.ids {
		row, ok := p.index.row(id)
		if ok && !slices.Contains(p.index.lines[first:last], row) {
			rows = append(rows, row)
		}
	}
	slices.SortFunc(rows, p.index.shownFirst)
	out := make([]api.CardID, 0, len(rows))
	for _, row := range rows {
		out = append(out, p.store.Cards.All().ID(int(row)))
	}
	return out
}

// ClearChosen forgets the selection: what it was made for is under way.
func (p *Pane) ClearChosen() {
	p.selected = selection{}
	p.touch()
}

// Select selects these cards alone, and moves to the first.
func (p *Pane) Select(ids []api.CardID) {
	p.selected = selection{}
	for _, id := range ids {
		p.selected.add(id)
	}
	p.Show(ids[0])
	p.touch()
}

// copyNext asks to copy the selected card after the one that was copied last, at first
// the one under the cursor if it is selected. Of a range, which has the cursor at its end, the
// first is.
func (p *Pane) copyNext() []kernel.Intent {
	ranging := p.Ranging()
	if ranging { // Else it would follow the cursor, which goes to each that is copied.
		p.endRange(true)
		p.touch()
	}
	ids := p.Chosen()
	switch {
	case len(ids) == 0:
		return one(secrets.CopyWhole{Card: p.cursor})
	case ranging:
		return one(secrets.CopyWhole{Card: ids[0]})
	}
	at := slices.Index(ids, p.selected.copied) + 1
	if i := slices.Index(ids, p.cursor); i >= 0 && p.selected.copied == "" {
		at = i
	}
	if at == len(ids) {
		return one(kernel.Say{Level: kernel.Info, Text: p.theme.Words.T("that was the last of the selected cards; select again to begin anew")})
	}
	return one(secrets.CopyWhole{Card: ids[at]})
}

// Copied moves to a selected card that is being copied: the next one follows it.
func (p *Pane) Copied(id api.CardID) {
	if p.selected.ids[id] {
		p.selected.copied = id
		p.Show(id)
	}
}

// pruneSelection removes cards that are gone from the selection.
func (p *Pane) pruneSelection() {
	maps.DeleteFunc(p.selected.ids, func(id api.CardID, _ bool) bool {
		_, there := p.store.Cards.Get(id)
		return !there
	})
}

// Summary counts the chosen cards and what is on them; empty when there are
// none.
func (p *Pane) Summary() string {
	if p.summed {
		return p.summary
	}
	p.summary, p.summed = "", true
	ids := p.Chosen()
	if len(ids) == 0 {
		return ""
	}
	var sum api.USD
	for _, id := range ids {
		if c, ok := p.store.Cards.Get(id); ok {
			sum += c.Balance
		}
	}
	w, total := p.theme.Words, p.store.Privacy.Display().Dollars(sum)
	if n := p.Hidden(); n > 0 {
		p.summary = w.Tf("%d selected, %d hidden · Σ %s", len(ids), n, total)
	} else {
		p.summary = w.Tf("%d selected · Σ %s", len(ids), total)
	}
	return p.summary
}

// Hidden counts the chosen cards that the list does not show: the filter keeps
// them out. They are the last of Chosen.
func (p *Pane) Hidden() int {
	n := len(p.selected.ids)
	for _, row := range p.index.order {
		if p.selected.ids[p.store.Cards.All().ID(int(row))] {
			n--
		}
	}
	return n
}

// onChosen returns what a key means for the chosen cards; false when it
// means nothing for several.
func (p *Pane) onChosen(a keymap.Action, ids []api.CardID) ([]kernel.Intent, bool) {
	switch a {
	case keymap.Freeze:
		return one(state.Writes{Kind: state.BulkFreeze, Cards: ids}), true
	case keymap.Unfreeze:
		return one(state.Writes{Kind: state.BulkUnfreeze, Cards: ids}), true
	case keymap.Fund:
		return one(state.Writes{Kind: state.BulkFund, Cards: ids}), true
	case keymap.FillTo:
		return one(state.Writes{Kind: state.BulkFund, Cards: ids, Share: state.ShareLevel}), true
	case keymap.Withdraw:
		return one(state.Writes{Kind: state.BulkWithdraw, Cards: ids}), true
	case keymap.Edit:
		return one(state.Writes{Kind: state.BulkLimit, Cards: ids}), true
	case keymap.Terminate:
		return one(state.Writes{Kind: state.BulkTerminate, Cards: ids}), true
	default:
		return nil, false
	}
}

// onCards does what a key asks for with the chosen cards, or with the one
// under the cursor when none is chosen.
func (p *Pane) onCards(a keymap.Action) []kernel.Intent {
	switch a {
	case keymap.IssueSeveral:
		return one(state.Writes{Kind: state.BulkIssue})
	case keymap.CopyNextCard:
		return p.copyNext()
	default:
	}
	if ids := p.Chosen(); len(ids) > 0 {
		if in, ok := p.onChosen(a, ids); ok {
			return in
		}
	}
	if g, ok := p.underHead(); ok {
		return p.onHead(a, g)
	}
	if a == keymap.Unfreeze {
		_, busy := p.store.Ops.Pending(p.cursor)
		if c, ok := p.store.Cards.Get(p.cursor); ok && c.Status == api.CardActive && !c.Cached && !busy {
			return one(kernel.Say{Level: kernel.Info, Text: p.theme.Words.Tf("%s is already active", p.store.Cards.Name(c.ID))})
		}
		return one(state.Unfreeze(p.cursor))
	}
	return pane.OnCard(p.store, p.cursor, a)
}

func one(in kernel.Intent) []kernel.Intent { return []kernel.Intent{in} }
