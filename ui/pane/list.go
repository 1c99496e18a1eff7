package pane

import (
	"cmp"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/txns"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// List is what the lists over that of the cards share: rows under a cursor, a
// filter where there is one, details of the row under the cursor, and the box
// around them. A pane embeds it.
//
// The cursor is bound to a row and not to a place. When its row goes by itself
// no key acts on the one that takes its place, until the user has moved.
type List[R any, K comparable] struct {
	Theme  *theme.Theme
	Store  *state.Store // nil before the first Sync
	Table  *widget.Table
	Filter *Filter // nil where there is none
	W, H   int

	own    ListConfig[R, K]
	rows   []R
	cursor K
	bound  bool // the cursor is a row's, there or gone

	dirty, focused bool
	lines          []string
	framing        widget.Framing
}

// ListConfig is what differs between lists.
type ListConfig[R any, K comparable] struct {
	Name     string // of the box, translated where it is drawn
	Number   string // of the box; empty for a screen over the list of cards, which esc closes
	Columns  []widget.Column
	Gap      int // cells between two columns; 0 is ColumnGap
	Filtered bool
	// Live: on its first row the list follows what comes in, instead of the row.
	Live bool
	// Key identifies a row.
	Key func(R) K
	// List returns the rows that match the filter, in order.
	List func() []R
	// Frame adds to the box what is said of the whole list.
	Frame func(*widget.Frame)
	// Empty says why there is no row and what to do.
	Empty func() string
	Row   func(R, *widget.RowWriter)
	// Above is drawn over the rows; nil for nothing.
	Above func() []string
	// Detail describes a row, in up to n lines of w cells; it has at most
	// MostDetail.
	Detail     func(r R, w, n int) []string
	MostDetail int
	// Rest describes the whole list in these lines when it has no row; nil for
	// nothing.
	Rest func(w, n int) []string
}

// NewList makes an empty list.
func NewList[R any, K comparable](t *theme.Theme, own ListConfig[R, K]) List[R, K] {
	l := List[R, K]{Theme: t, own: own, Table: widget.NewTable(widget.TableConfig{Columns: own.Columns, Gap: cmp.Or(own.Gap, ColumnGap), Header: true, Empty: own.Empty})}
	if own.Filtered {
		l.Filter = NewFilter(t)
	}
	return l
}

// Rows are those that match.
func (l *List[R, K]) Rows() []R { return l.rows }

// SetSize sets the pane's rectangle, borders included.
func (l *List[R, K]) SetSize(w, h int) {
	l.W, l.H, l.dirty = w, h, true
	l.fit()
}

// fit sizes the table to what the lines around it leave.
func (l *List[R, K]) fit() {
	l.Table.SetSize(l.W-2, max(0, l.H-2-len(l.above())-l.detail()))
}

func (l *List[R, K]) above() []string {
	if l.own.Above == nil {
		return nil
	}
	return l.own.Above()
}

// The heights from which one line and all lines tell more of the row under the
// cursor.
const (
	oneLineFrom  = 7
	allLinesFrom = 12
)

func (l *List[R, K]) detail() int {
	switch {
	case l.H >= allLinesFrom:
		return l.own.MostDetail
	case l.H >= oneLineFrom:
		return min(1, l.own.MostDetail)
	}
	return 0
}

// Update makes the list read the store again.
func (l *List[R, K]) Update(s *state.Store) {
	l.Store = s
	l.refresh()
	l.fit()
}

// UpdateNext is Update after the user was done with the row under the cursor: it
// goes on to the one in its place.
func (l *List[R, K]) UpdateNext(s *state.Store) {
	place, _ := l.Table.Cursor()
	l.Update(s)
	l.Table.SetCursor(place)
	l.Bind()
}

// refresh lists the rows anew and keeps the cursor on its own.
func (l *List[R, K]) refresh() {
	l.dirty = true
	if l.Store == nil {
		return
	}
	l.rows = l.own.List()
	l.Table.SetRows(len(l.rows))
	switch at := l.at(); {
	case at >= 0:
		l.Table.SetCursor(at)
	case !l.bound:
		l.Table.SetCursor(0)
		l.Bind()
	}
}

// Relist lists the rows anew because the user asked for others: where the
// cursor's row is not among them it goes to the first.
func (l *List[R, K]) Relist() {
	l.refresh()
	if l.bound && l.at() < 0 {
		l.Table.SetCursor(0)
		l.Bind()
	}
}

// at finds the row of the cursor; -1 when it is gone, or the list live.
func (l *List[R, K]) at() int {
	if !l.bound {
		return -1
	}
	return slices.IndexFunc(l.rows, func(r R) bool { return l.own.Key(r) == l.cursor })
}

// Bind binds the cursor to the row it is on: the user chose it, or is done
// with the one before.
func (l *List[R, K]) Bind() {
	i, ok := l.Table.Cursor()
	l.bound = ok && i < len(l.rows) && (i > 0 || !l.own.Live)
	if l.bound {
		l.cursor = l.own.Key(l.rows[i])
	}
}

// Choose puts the cursor on a row that is listed.
func (l *List[R, K]) Choose(key K) {
	l.cursor, l.bound = key, true
	l.refresh()
}

// Live reports whether the list follows what comes in.
func (l *List[R, K]) Live() bool { return l.own.Live && !l.bound }

// Picked is the row that a key acts on; false when there is none, or when it
// has gone.
func (l *List[R, K]) Picked() (r R, ok bool) {
	i, any := l.Table.Cursor()
	if !any || i >= len(l.rows) || l.bound && l.own.Key(l.rows[i]) != l.cursor {
		return r, false
	}
	return l.rows[i], true
}

// OnRow reports whether there is a row that a key acts on.
func (l *List[R, K]) OnRow() bool {
	_, ok := l.Picked()
	return ok
}

// Moves moves the cursor or uses the filter, and reports whether the action was
// for that.
func (l *List[R, K]) Moves(a keymap.Action) bool {
	l.dirty = true
	if l.Filter != nil && (a != keymap.Back || l.Filter.Typing()) {
		if done, changed := l.Filter.Act(a); done {
			if changed {
				l.Relist()
			}
			return true
		}
	}
	if Move(l.Table, a) {
		l.Bind()
		return true
	}
	return false
}

// Back clears the filter, if there is one.
func (l *List[R, K]) Back() bool {
	if l.Filter == nil {
		return false
	}
	_, changed := l.Filter.Act(keymap.Back)
	if changed {
		l.Relist()
	}
	return changed
}

// Typing reports whether the filter's field is open.
func (l *List[R, K]) Typing() bool { return l.Filter != nil && l.Filter.Typing() }

// Advice says what is to be known of the filter's text.
func (l *List[R, K]) Advice() (text string, wrong bool) {
	if l.Filter == nil {
		return "", false
	}
	return l.Filter.Advice()
}

// Type puts a key into the filter; the list follows as it is typed.
func (l *List[R, K]) Type(key, text string) {
	l.dirty = true
	if l.Filter.Type(key, text) {
		l.Relist()
	}
}

// RowAt reports whether there is a row on a line of the pane.
func (l *List[R, K]) RowAt(y int) bool {
	_, ok := l.Table.RowAt(y - 1 - len(l.above()))
	return ok
}

// Click puts the cursor on a row.
func (l *List[R, K]) Click(_, y int) []kernel.Intent {
	if i, ok := l.Table.RowAt(y - 1 - len(l.above())); ok {
		l.Table.SetCursor(i)
		l.Bind()
		l.dirty = true
	}
	return nil
}

// View draws the list in its box.
func (l *List[R, K]) View(focused bool) []string {
	if !l.dirty && focused == l.focused {
		return l.lines
	}
	l.dirty, l.focused = false, focused
	f := Frame(l.Theme, cmp.Or(l.own.Number, "1"), l.Theme.Words.T(l.own.Name), focused)
	l.Table.SetStyles(Table(l.Theme))
	var body []string
	if l.Store != nil {
		if l.Filter != nil {
			f.Title = append(f.Title, l.Filter.Spans(l.Theme, l.Store.Privacy.Display(), l.W)...)
		}
		l.own.Frame(&f)
		picked, ok := l.Picked()
		rows := l.Table.Draw(focused && (ok || len(l.rows) == 0), func(i int, w *widget.RowWriter) { l.own.Row(l.rows[i], w) })
		body = slices.Concat(l.above(), rows, l.about(picked, ok))
	}
	if l.own.Number == "" {
		f.Leave = []widget.Span{{Style: l.Theme.Muted, Text: l.Theme.Words.T("esc back")}}
	}
	f.Scroll = l.Table.Scroll()
	l.lines = l.framing.Draw(f, body, l.W, l.H)
	return l.lines
}

// about describes the row under the cursor.
func (l *List[R, K]) about(r R, ok bool) []string {
	n := l.detail()
	switch {
	case n == 0:
		return nil
	case len(l.rows) == 0 && l.own.Rest != nil:
		return l.own.Rest(l.W-2, n)
	case !ok:
		return widget.Blank(l.W-2, n)
	}
	return l.own.Detail(r, l.W-2, n)
}

// Move moves a table's cursor when the action is a movement, and reports
// whether it was.
func Move(t *widget.Table, a keymap.Action) bool {
	switch a {
	case keymap.Up:
		t.Move(-1)
	case keymap.Down:
		t.Move(1)
	case keymap.PageUp:
		t.Page(-1)
	case keymap.PageDown:
		t.Page(1)
	case keymap.First:
		t.Home()
	case keymap.Last:
		t.End()
	default:
		return false
	}
	return true
}

// MoveBack is Move in a list that is paged into the past: a cursor within two
// screens of its end asks for another page, in a list of two screens or less a
// cursor on the last row. The list is that of a card, or of all for an empty
// id.
func MoveBack(t *widget.Table, card api.CardID, a keymap.Action) (intents []kernel.Intent, moved bool) {
	if !Move(t, a) {
		return nil, false
	}
	near := 2 * t.Visible()
	if t.Rows() <= near {
		near = 1
	}
	at, _ := t.Cursor()
	down := a == keymap.Down || a == keymap.PageDown || a == keymap.Last
	if down && t.Rows()-at <= near {
		intents = one(txns.LoadOlder{Card: card})
	}
	return intents, true
}

// Tail is the line below a list's oldest row: what is known of the rows that
// are older still. Loading says that they are being read, none that there are none.
func Tail(w *lang.Words, o txns.Older, loading, none string, now time.Time) string {
	switch {
	case o.Loading:
		return loading
	case o.End:
		return none
	case o.Full:
		return w.Tf("back to %s, no room for more", When(w, o.Back, now))
	case o.Why != "" && o.ByItself:
		return w.Tf("older: %s, retrying", o.Why)
	case o.Why != "":
		return w.Tf("older: %s, ↓ retries", o.Why)
	}
	return w.Tf("back to %s, ↓ loads more", When(w, o.Back, now))
}
