// Package txns is the pane of transactions as they happen.
package txns

import (
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/query"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/state/txns"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Pane lists transactions, newest first unless they are sorted otherwise. While it has the focus the cursor is
// bound to a transaction's id, from the moment it is drawn: what comes in
// pushes the row down and never changes what a key acts on.
type Pane struct {
	theme   *theme.Theme
	store   *state.Store
	table   *widget.Table
	filter  *pane.Filter
	columns []column        // as the table has them
	shape   []widget.Column // of the table, before it is fitted
	fitted  widest          // what the table's columns have room for
	widest  widest
	// largest are the amounts that were measured, in the smallest unit, and names the merchants.
	largest map[sized]int64
	names   map[string]bool
	// measured is the version of the cards whose names were.
	measured uint64
	view     settings.View
	by       column // what it is sorted by
	desc     bool
	lang     query.Language[*row]
	query    query.Query[*row]
	folds    folds
	tabs     pane.Tabs
	others   []query.Query[*row] // of the tabs
	// counted is when the tabs' rows were.
	counted time.Time

	// search is what the API was asked to look for in the past and sought the
	// text it was made of, asked its terms, found what came of it.
	search txns.Search
	sought string
	asked  query.Query[*row]
	found  []api.Transaction

	// matched are the places of the transactions that match the filter, as they are
	// sorted; order of those that have a row. folded are how many a row stands for by
	// its transaction, opened those of storms that the user opened.
	matched, order []int
	folded         map[api.TransactionID]int
	opened         map[api.TransactionID]bool

	cursor api.TransactionID // empty: the newest
	left   api.TransactionID // where the cursor was when the focus went; empty: on the newest
	// top is the newest row when the feed was paused; waiting counts those
	// that came since.
	paused  bool
	top     api.TransactionID
	waiting int

	w, h    int
	dirty   bool
	moving  pane.Moving
	focused bool
	lines   []string
	framing widget.Framing
}

var _ interface {
	pane.Pane
	pane.Typist
	pane.Adviser
} = (*Pane)(nil)

// New makes an empty feed.
func New(t *theme.Theme) *Pane {
	p := &Pane{
		theme: t, filter: pane.NewFilter(t), tabs: pane.Tabs{List: settings.FeedList},
		largest: make(map[sized]int64), names: make(map[string]bool),
	}
	p.lang = p.language()
	p.table = widget.NewTable(widget.TableConfig{Gap: pane.ColumnGap, Empty: p.empty})
	p.applyView(settings.View{})
	return p
}

// Context is where the pane's keys are looked up.
func (p *Pane) Context() keymap.Context { return keymap.Feed }

// Reads returns the parts of the store that the pane shows.
func (p *Pane) Reads() kernel.Topic {
	return kernel.TopicFeed | kernel.TopicCards | kernel.TopicViews | kernel.TopicHealth | kernel.TopicClock
}

// SetSize sets the pane's rectangle, borders included.
func (p *Pane) SetSize(w, h int) {
	p.w, p.h, p.dirty = w, h, true
	p.fit()
	p.setColumns()
}

func (p *Pane) fit() {
	p.table.SetHeader(p.headed())
	p.table.SetSize(p.w-2, p.h-2-p.tabs.Lines(p.h))
}

// headedFrom is the height of the pane from which a line of it names the
// columns.
const headedFrom = 10

func (p *Pane) headed() bool { return p.h >= headedFrom }

// Sync reads the store again. A second that passed changes
// no row.
func (p *Pane) Sync(s *state.Store, changed kernel.Topic) {
	p.store = s
	if changed&kernel.TopicViews != 0 {
		v := s.Views.Get(settings.FeedList)
		p.applyView(v)
		if p.tabs.Set(v.Tabs, p.store.Privacy.Display()) {
			p.others, p.counted = p.lang.ParseAll(p.tabs.Filters()), time.Time{}
			p.fit()
		}
	}
	if changed&kernel.TopicCards != 0 {
		p.folds.forgetCards()
		p.measureCards()
	}
	p.joinRest()
	if changed&(kernel.TopicFeed|kernel.TopicCards) != 0 || changed&kernel.TopicClock != 0 && p.query.Timed() {
		p.rebuild()
	}
	if p.count(s.ServerNow()) {
		p.dirty = true
	}
	p.dirty = p.dirty || changed&^pane.Passing != 0 || p.moving.Differ(p.moves)
}

// moves adds what time and polls change.
func (p *Pane) moves(m *pane.Moving) {
	m.Spans(p.mode())
	m.Spans(p.source())
	m.Spans(p.searchNote(p.w))
	m.Add(p.tail())
	if len(p.order) == 0 {
		m.Add(p.empty())
	}
	// What is not of today has its date.
	m.Add(p.store.ServerNow().Local().Format(time.DateOnly))
}

// source says how old the feed is.
func (p *Pane) source() []widget.Span {
	return pane.Source(p.theme, p.store.Poll.Source(poll.Feed), p.store.Now())
}

// Act moves the cursor, opens the filter, holds the feed still, or asks for
// something to be done with the card of the row.
func (p *Pane) Act(a keymap.Action) []kernel.Intent {
	p.dirty = true
	if a == keymap.Back && !p.filter.On() && p.closeStorms() {
		return nil
	}
	if done, changed := p.filter.Act(a); done {
		if changed {
			p.applyFilter()
		}
		return p.leave()
	}
	if intents, changed, done := p.tabs.Act(a, p.filter); done {
		if changed {
			p.applyFilter()
		}
		return append(intents, p.leave()...)
	}
	switch a {
	case keymap.Export:
		return p.export()
	case keymap.Sort:
		return p.sortNext()
	case keymap.SortBack:
		return p.sortBy(p.by.Name, !p.desc)
	case keymap.Pause:
		p.pause()
	case keymap.Columns:
		return pane.ColumnsToChoose(p.theme.Words, settings.FeedList, columns())
	case keymap.OpenTransaction:
		return p.open()
	case keymap.First:
		if p.paused {
			p.pause()
		}
		fallthrough
	default:
		if older, moved := pane.MoveBack(p.table, "", a); moved {
			p.bindCursor()
			return p.seek(older)
		}
		return pane.OnCard(p.store, p.Card(), a)
	}
	return nil
}

// open asks for the transaction under the cursor, among those that are
// listed.
func (p *Pane) open() []kernel.Intent {
	id := p.picked().ID
	if id == "" {
		return nil
	}
	if p.openStorm(id) {
		return nil
	}
	among := make([]api.TransactionID, 0, len(p.matched))
	for _, i := range p.matched {
		among = append(among, p.at(i).ID)
	}
	return []kernel.Intent{txns.Inspect{Transaction: id, Among: among}}
}

func (p *Pane) pause() {
	p.paused = !p.paused
	p.top, p.waiting = "", 0
	if all := p.store.Txns.All(); p.paused && len(all) > 0 {
		p.top = all[len(all)-1].ID
	}
	p.rebuild()
}

// Typing reports whether the filter's field is open.
func (p *Pane) Typing() bool { return p.filter.Typing() }

// Backs reports whether esc has something to do here.
func (p *Pane) Backs() bool { return p.filter.On() || len(p.opened) > 0 }

// Advice says what is to be known of the filter's text.
func (p *Pane) Advice() (text string, wrong bool) { return p.filter.Advice() }

// Type puts a key into the filter; the list follows as it is typed.
func (p *Pane) Type(key, text string) {
	p.dirty = true
	if p.filter.Type(key, text) {
		p.applyFilter()
	}
}

// RowAt reports whether there is a row on a line of the pane.
func (p *Pane) RowAt(y int) bool {
	_, ok := p.table.RowAt(y - 1 - p.tabs.Lines(p.h))
	return ok
}

// Click puts the cursor on a row, chooses a tab or sorts by a column.
func (p *Pane) Click(x, y int) []kernel.Intent {
	top := 1 + p.tabs.Lines(p.h)
	if y == 1 && top > 1 {
		if p.tabs.Click(p.theme, x-1, p.w-2, p.filter) {
			p.applyFilter()
			return p.leave()
		}
	} else if i, ok := p.table.RowAt(y - top); ok {
		p.table.SetCursor(i)
		p.bindCursor()
		p.dirty = true
	} else if c, ok := p.table.ColumnAt(x - 1); ok && y == top && p.headed() {
		return p.sortOn(p.columns[c])
	}
	return nil
}

// picked is the transaction that a key acts on: none when the one that the
// cursor is bound to has left the list.
func (p *Pane) picked() api.Transaction {
	t := p.under()
	if p.cursor != "" && t.ID != p.cursor {
		return api.Transaction{}
	}
	return t
}

// Card is that of the transaction that a key acts on.
func (p *Pane) Card() api.CardID { return p.picked().CardID }

// Transaction is the one that a key acts on.
func (p *Pane) Transaction() api.TransactionID { return p.picked().ID }

// OnRow reports whether there is a transaction that a key acts on.
func (p *Pane) OnRow() bool { return p.picked().ID != "" }

// under is the transaction in the row of the cursor.
func (p *Pane) under() api.Transaction {
	i, ok := p.table.Cursor()
	if !ok || i >= len(p.order) {
		return api.Transaction{}
	}
	return *p.at(p.order[i])
}

// bindCursor binds the cursor to the row it is on.
func (p *Pane) bindCursor() {
	p.cursor = p.under().ID
}

// Ask filters the feed by a text, and returns what the search for another one
// asks for.
func (p *Pane) Ask(filter string) []kernel.Intent {
	p.filter.Set(filter)
	p.applyFilter()
	return p.leave()
}

// applyFilter filters by what is typed, as far as it can be understood. Where the new
// filter only narrows the old one, the rows that did not match are not looked
// at again, unless what a search has found comes into the list or leaves it.
func (p *Pane) applyFilter() {
	old := p.query
	p.query = pane.Understand(p.filter, &p.lang, old)
	p.table.SetCursor(0) // Where the cursor's row does not match.
	if p.store == nil || p.query.Timed() || !p.query.Narrows(&old) || p.searching() != (len(p.found) > 0) {
		p.rebuild()
	} else {
		p.dirty = true
		match := p.matcher()
		p.list(slices.DeleteFunc(p.matched, func(i int) bool { return !match(p.at(i)) }))
	}
	if p.cursor != "" && p.store != nil && p.picked().ID == "" {
		p.bindCursor() // The person asked for other rows: the first of them is theirs.
	}
}

// matcher asks the filter, as of now.
func (p *Pane) matcher() func(*api.Transaction) bool {
	asked := row{now: p.store.ServerNow()}
	return func(t *api.Transaction) bool {
		asked.Transaction = t
		return p.query.Match(&asked)
	}
}

// rebuild lists the rows that match, and keeps the cursor on its row. Found
// rows lie below the feed's, or in a gap that it has.
func (p *Pane) rebuild() {
	p.dirty = true
	if p.store == nil {
		return
	}
	all := p.store.Txns.All()
	match := p.matcher()
	held := p.paused && p.top != ""
	p.waiting = 0
	p.find()
	order, found := p.matched[:0], len(p.found)
	for i := len(all) - 1; i >= 0; i-- {
		t := &all[i]
		p.measure(t)
		if held {
			if t.ID != p.top {
				p.waiting++
				continue
			}
			held = false
		}
		for ; found > 0 && p.found[found-1].CreatedAt.After(t.CreatedAt); found-- {
			order = p.appendFound(order, match, found)
		}
		if match(t) {
			order = append(order, i)
		}
	}
	for ; found > 0; found-- {
		order = p.appendFound(order, match, found)
	}
	p.list(order)
}

// appendFound lists the found row of a number, from 1 on, if it matches.
func (p *Pane) appendFound(order []int, match func(*api.Transaction) bool, number int) []int {
	p.measure(p.at(-number))
	if match(p.at(-number)) {
		order = append(order, -number)
	}
	return order
}

// list takes the rows that match.
func (p *Pane) list(order []int) {
	p.arrange(order)
	p.matched, p.order = order, p.fold(order)
	order = p.order
	at := 0
	if p.cursor != "" {
		// Where its row is gone it keeps its place, and no key acts.
		if at = slices.IndexFunc(order, func(i int) bool { return p.at(i).ID == p.cursor }); at < 0 {
			at = slices.IndexFunc(order, func(i int) bool { return p.folded[p.at(i).ID] > 0 && p.sameStorm(p.at(i).ID, p.cursor) })
			if at >= 0 {
				p.cursor = p.at(order[at]).ID // Another retry came: the row is the same.
			}
		}
		if at < 0 {
			at, _ = p.table.Cursor()
		}
	}
	p.table.SetRows(len(order))
	p.table.SetCursor(at)
}

// countEvery is how often the rows of the tabs are counted: each is looked
// through.
const countEvery = 5 * time.Second

// count counts the rows of each tab, and reports whether it did.
func (p *Pane) count(now time.Time) bool {
	if p.tabs.Lines(p.h) == 0 || now.Sub(p.counted) < countEvery {
		return false
	}
	p.counted = now
	all := p.store.Txns.All()
	p.tabs.Counts[0] = len(all)
	asked := row{now: now}
	for i := range p.others {
		n := 0
		for at := range all {
			asked.Transaction = &all[at]
			if p.others[i].Match(&asked) {
				n++
			}
		}
		p.tabs.Counts[i+1] = n
	}
	return true
}

// bind gives the pane, when it gets the focus, the row that it was left on, else the one on top, unless another was
// gone to. It lets the row go with the focus: then the feed follows what comes in.
func (p *Pane) bind(focused bool) {
	if p.store == nil || focused && p.cursor != "" {
		return
	}
	switch at, _ := p.table.Cursor(); {
	case focused:
		p.left, p.cursor = "", p.left
	case at > 0:
		p.left, p.cursor = p.cursor, ""
	default:
		p.left, p.cursor = "", ""
	}
	p.rebuild()
	if !focused {
		return
	}
	if p.picked().ID == "" { // It is gone.
		p.table.SetCursor(0)
	}
	p.bindCursor()
}

// besidesFoot is what the frame takes of its lowest line.
const besidesFoot = 6

// View draws the feed.
func (p *Pane) View(focused bool) []string {
	if !p.dirty && focused == p.focused {
		return p.lines
	}
	if focused != p.focused {
		p.bind(focused)
	}
	p.dirty, p.focused = false, focused
	f := pane.Frame(p.theme, "3", p.theme.Words.T("Transactions"), focused)
	p.table.SetStyles(pane.Table(p.theme))
	var body []string
	if p.store != nil {
		f.Title = append(f.Title, p.filter.Spans(p.theme, p.store.Privacy.Display(), p.w)...)
		f.Title = append(f.Title, p.mode()...)
		p.table.SetTail(p.tail())
		if p.tabs.Lines(p.h) > 0 {
			body = append(body, p.tabs.Draw(p.theme, p.w-2, p.filter.Text()))
		}
		p.fitColumns()
		body = append(body, p.table.Draw(focused, p.row)...)
		source := p.source()
		p.moving.Note(p.moves)
		f.Foot = append(p.searchNote(p.w-besidesFoot-widget.SpansWidth(source)), source...)
	}
	f.Scroll = p.table.Scroll()
	p.lines = p.framing.Draw(f, body, p.w, p.h)
	return p.lines
}

// mode says whether the list moves by itself. Only the newest first is live:
// sorted otherwise, what comes in goes to its place.
func (p *Pane) mode() []widget.Span {
	src, sorted := p.store.Poll.Source(poll.Feed), p.sorted()
	var spans []widget.Span
	if sorted != "" {
		spans = append(spans, pane.Note(p.theme, sorted))
	}
	switch {
	case p.paused:
		return append(spans, widget.Span{Style: p.theme.Warn, Text: p.theme.Words.Tf("  paused +%d waiting", p.waiting)})
	case p.table.Offset() > 0 && sorted == "":
		return append(spans, pane.Note(p.theme, p.theme.Words.T("paused, g: live")))
	case src.OKAt.IsZero():
		return append(spans, pane.Note(p.theme, p.theme.Words.T("not read yet")))
	case src.Cached:
		return append(spans, pane.Note(p.theme, p.theme.Words.T("from the last run")))
	case src.Stale(p.store.Now()), sorted != "":
		return spans // The foot says how old it is.
	}
	return append(spans, pane.Note(p.theme, p.theme.Words.T("live")))
}

// tail says how far back the list goes.
func (p *Pane) tail() string {
	if p.store.Poll.Source(poll.Feed).Cached {
		return ""
	}
	words, older := p.theme.Words, p.store.Past.State("")
	loading, none := words.T("loading older transactions…"), words.T("no older transactions")
	if p.searching() {
		if older = p.store.Past.Found().Older; p.search.Younger != 0 {
			loading, none = words.T("loading older results…"), words.T("no older results")
		}
	}
	return pane.Tail(p.theme.Words, older, loading, none, p.store.ServerNow())
}

func (p *Pane) empty() string {
	src := p.store.Poll.Source(poll.Feed)
	switch {
	case p.filter.On():
		return p.theme.Words.Tf("no transaction matches · %s · esc clears the filter", p.tail())
	case src.OKAt.IsZero():
		return pane.Unread(p.theme.Words, src, p.theme.Words.T("loading transactions…"))
	}
	return p.theme.Words.T("no transactions yet")
}
