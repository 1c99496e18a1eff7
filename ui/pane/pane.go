// Package pane is the contract every pane meets. Panes read the store and
// return intents; none talks to another, and none does I/O.
package pane

import (
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/team"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Pane is one rectangle of the screen. Its methods are called from the one
// loop that owns the store.
type Pane interface {
	// Context is where the pane's keys are looked up.
	Context() keymap.Context
	// Reads returns the parts of the store that the pane shows.
	Reads() kernel.Topic
	// SetSize sets the pane's rectangle, borders included.
	SetSize(w, h int)
	// Sync reads the store again; changed is which
	// parts.
	Sync(s *state.Store, changed kernel.Topic)
	// Act does what a key asks for: the pane moves its own cursor, or returns
	// what the user wants.
	Act(keymap.Action) []kernel.Intent
	// Click puts the cursor on what is at a cell of the pane's rectangle.
	Click(x, y int) []kernel.Intent
	// View draws exactly the rectangle of SetSize.
	View(focused bool) []string
}

// Carder is a pane that keeps its cursor on a card.
type Carder interface {
	// Card is what the keys for a card are about; empty when it is none.
	Card() api.CardID
}

// Transactor is a pane that can have its cursor on a transaction.
type Transactor interface {
	// Transaction is the one that keys are about; empty when it is none.
	Transaction() api.TransactionID
}

// Rower is a pane with rows that keys act on.
type Rower interface {
	// OnRow reports whether there is one under the cursor.
	OnRow() bool
}

// Folder is a pane in which enter folds or unfolds some rows.
type Folder interface {
	// Folds says in a word what enter does to the row under the cursor; empty where it opens what
	// the row is.
	Folds() string
}

// Opener is a screen that begins anew when it is opened.
type Opener interface{ Opened() }

// Withholder is a pane in which what keys may do depends on the row, or on who the user is.
type Withholder interface {
	// Withholds names the actions of its own that the footer leaves out, each with a blank
	// before and behind it.
	Withholds() string
}

// Lister is a pane with rows that can be gone to.
type Lister interface {
	// RowAt reports whether there is one on a line of the pane's rectangle.
	RowAt(y int) bool
}

// Backer is a pane in which esc has something of its own to do before it
// leads back.
type Backer interface {
	// Back does it, and reports whether there was anything to do.
	Back() bool
}

// Adviser is a pane whose filter is read as a language.
type Adviser interface {
	// Advice says what the text of the filter lacks, or what is wrong with it;
	// it may repeat the text.
	Advice() (text string, wrong bool)
}

// Worker is a pane in which a key can ask for more than may be done at once.
type Worker interface {
	// Working reports whether some of it is left.
	Working() bool
	// Work does some until enough reports true. Keys are answered in between.
	Work(enough func() bool)
}

// Typist is a pane with a text field that can be open. While it is, keys
// that no binding of the field's context claims are typed into it.
type Typist interface {
	Typing() bool
	Type(key, text string)
}

// Hint says which key does something in a place, such as "r asks again". What
// has no key is found in the list of commands.
func Hint(keys *keymap.Map, c keymap.Context, a keymap.Action, does string) string {
	key := keys.Key(keymap.Palette)
	if bound := keys.Keys(c, a); len(bound) > 0 {
		key = bound[0]
	}
	return key + " " + does
}

// NoCards says of an account without cards how it gets its first.
func NoCards(keys *keymap.Map, s *state.Store) string {
	w := s.Words()
	wallet, known := s.Wallets.Balance()
	if !known || s.Privacy.Display().Private() {
		return w.T("no cards yet")
	}
	deposit := Hint(keys, keymap.Global, keymap.OpenDeposits, w.T("shows where to deposit"))
	issue := Hint(keys, keymap.Global, keymap.Issue, w.T("issues a card"))
	// On a hub these are for some roles only.
	empty, issues, deposits := wallet.Balance <= 0, !s.ReadOnly() && s.Team.May(team.Lead), s.Team.May(team.Admin)
	switch {
	case empty && deposits && issues:
		return w.Tf("no cards yet: %s, then %s", deposit, issue)
	case empty && deposits:
		return w.Tf("no cards yet: %s", deposit)
	case !empty && issues:
		return w.Tf("no cards yet: %s", issue)
	}
	return w.T("no cards yet")
}

// UnreadDeposits says that the user's role on a hub reads no deposits: none that are listed
// does not mean that there are none. Empty for who may.
func UnreadDeposits(s *state.Store) string {
	if s.Team.May(team.Admin) {
		return ""
	}
	you, _ := s.Team.You()
	return s.Words().Tf("your role, %s, may not read deposits", you.Role.String())
}

// NoDeposits says of an account without deposits where to send one.
func NoDeposits(w *lang.Words, keys *keymap.Map) string {
	return w.Tf("no deposits yet: %s", Hint(keys, keymap.Global, keymap.OpenDeposits, w.T("shows the addresses")))
}

// Frame is the box every pane draws itself in, titled with its number and
// name.
func Frame(t *theme.Theme, number, name string, focused bool) widget.Frame {
	title, digit := t.Title, t.Faint
	if focused {
		title, digit = t.TitleFocused, t.Accent
	}
	f := widget.Frame{Focused: focused, Styles: widget.FrameStyles{
		Border: t.Border, BorderFocused: t.BorderFocused, Thumb: t.Thumb,
	}}
	if number != "" {
		f.Title = append(f.Title, widget.Span{Style: digit, Text: number + " "})
	}
	f.Title = append(f.Title, widget.Span{Style: title, Text: name})
	return f
}

// Note is what a frame says after its name.
func Note(t *theme.Theme, text string) widget.Span {
	return widget.Span{Style: t.Muted, Text: "  " + text}
}

// NameNote is Note for the name of a card in a frame of w cells, whose digits are not cut.
func NameNote(t *theme.Theme, f *widget.Frame, name string, w int) widget.Span {
	return Note(t, CutName(name, f.Room(w)-widget.SpansWidth(f.Title)-2))
}

// Table returns the styles of every table.
func Table(t *theme.Theme) widget.TableStyles {
	return widget.TableStyles{
		Words: t.Words, Header: t.Header, Sorted: t.HeaderSorted, Text: t.Text,
		Cursor: t.Selection, CursorIdle: t.Muted, Gutter: t.Mark, Empty: t.Muted,
	}
}

// Source says in words how many items of a list could not be read, how old data is and
// where it came from. What is no older than the pause between two answers gets no figure of
// its own: it would move every second and say nothing.
func Source(t *theme.Theme, src poll.Source, now time.Time) []widget.Span {
	spans := age(t, src, now)
	if n := len(src.Unread); n > 0 {
		spans = append([]widget.Span{{Style: t.Bad, Text: t.Words.Tn(n, "%d not readable", "%d not readable")}, {Style: t.Faint, Text: " · "}}, spans...)
	}
	return spans
}

func age(t *theme.Theme, src poll.Source, now time.Time) []widget.Span {
	age := src.Age(now)
	switch {
	case age < 0 && src.Err != nil:
		return []widget.Span{{Style: t.Bad, Text: t.Words.T("no answer yet")}}
	case age < 0:
		return []widget.Span{{Style: t.Muted, Text: t.Words.T("loading")}}
	case src.Cached && src.Err != nil:
		return []widget.Span{{Style: t.Warn, Text: Cached(t, src, now)}}
	case src.Cached:
		return []widget.Span{{Style: t.Faint, Text: Cached(t, src, now)}}
	case src.Stale(now):
		return []widget.Span{{Style: t.Bad, Text: t.Words.Tf("STALE %s", t.Words.AgeCoarse(age))}}
	}
	style, slowed := t.Faint, ""
	if age > 2*src.Every+time.Second {
		style = t.Warn
	}
	if src.Slowed || !src.ShortTill.IsZero() {
		// Requests are short: B shows why.
		style, slowed = t.Warn, t.Words.T("slowed · ")
		if src.Windows > 1 {
			slowed = t.Words.Tn(src.Windows, "%d window, slowed · ", "%d windows, slowed · ")
		}
	}
	text := slowed + t.Words.Tf("every %s", interval(t, src.Every))
	if src.Pushed && slowed == "" {
		text = t.Words.T("push")
	}
	if age >= src.Every+time.Second {
		text += " · " + t.Words.AgeCoarse(age)
	}
	return []widget.Span{{Style: style, Text: text}}
}

// Unread says what stands for a list of which nothing was ever read, and is
// empty once something was. Loading says that it is being read.
func Unread(w *lang.Words, src poll.Source, loading string) string {
	switch {
	case !src.OKAt.IsZero():
		return ""
	case src.Err != nil:
		return w.T("not read yet: the API does not answer, retrying")
	}
	return loading
}

// Cached says how old what an earlier run knew is.
func Cached(t *theme.Theme, src poll.Source, now time.Time) string {
	return t.Words.Tf("cached %s", t.Words.AgeCoarse(src.Age(now)))
}

// Tone is the one style of all that an earlier run knew and this one has not
// read yet; the rest keeps its own.
func Tone(t *theme.Theme, cached bool, style string) string {
	if cached {
		return t.Faint
	}
	return style
}

// interval is short enough for a border: 0.5s, 3s, 5m.
func interval(t *theme.Theme, d time.Duration) string {
	if d < time.Second {
		return t.Words.Age(d)
	}
	return t.Words.AgeCoarse(d)
}

// Seconds is what is left of a wait, never less than it is.
func Seconds(t *theme.Theme, d time.Duration) string {
	return t.Words.AgeCoarse(max(0, (d + time.Second - 1).Truncate(time.Second)))
}
