package pane

import (
	"time"

	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

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
