package dialog

import (
	"fmt"
	"time"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// The limits of the contract, in requests, and the part of the hour that is
// kept for what a person does.
const (
	perMinute = 1_000
	perHour   = 10_000
	reserve   = 2_000
)

// Requests shows what the hour's requests went to, lane by lane, and how fast
// codes were in this session.
type Requests struct {
	theme *theme.Theme
	store *state.Store
	keys  *keymap.Map
	scroller
}

// NewRequests makes the dialog.
func NewRequests(t *theme.Theme, s *state.Store, keys *keymap.Map) *Requests {
	return &Requests{theme: t, store: s, keys: keys}
}

// Sync makes the dialog look at the store again.
func (r *Requests) Sync(s *state.Store) { r.store = s }

// Act closes it.
func (r *Requests) Act(a keymap.Action) Result {
	return Result{Close: a == keymap.Cancel || a == keymap.Confirm}
}

// Type closes it on the keys that open it or quit.
func (r *Requests) Type(key, _ string) Result {
	act, _ := r.keys.Resolve(key, keymap.Global)
	return Result{Close: act == keymap.Requests || act == keymap.Quit}
}

// Question is false: nothing is answered here.
func (*Requests) Question() bool { return false }

// Paste does nothing.
func (*Requests) Paste(string) {}

// View draws the box.
func (r *Requests) View(w, h int) []string {
	t, b := r.theme, r.store.Poll.Budget()
	w = min(w, 66)
	inner := w - 2
	text := func(style, s string) string { return widget.Spans(inner, widget.Span{Style: style, Text: " " + s}) }
	row := "%-14s %9s %9s %7s"
	if inner < 45 {
		row = "%-12s %5s %7s %5s"
	}
	lines := []string{
		r.total(inner, "last hour", b.Hour, perHour),
		r.total(inner, "last minute", b.Minute, perMinute),
		text(t.Muted, ""),
		text(t.Header, fmt.Sprintf(row, "lane", "every", "planned", "hour")),
	}
	slowed := false
	for _, l := range r.store.Poll.Uses() {
		style, every, planned := t.Text, "–", "–"
		if l.Planned > 0 {
			every, planned = short(l.Every), short(l.Planned)
			if l.Every > l.Planned && every != planned { // As far as it is seen.
				style, slowed = t.Warn, true
			}
		}
		lines = append(lines, text(style, fmt.Sprintf(row, l.Name, every, planned, fmt.Sprint(l.Used))))
	}
	lines = append(lines, text(t.Muted, ""))
	if b.Elsewhere > 0 {
		lines = append(lines, paragraph(inner, t.Text, elsewhere(b))...)
	}
	if b.Programs > 0 {
		style, so := t.Text, "and no lane rests longer for it now."
		if slowed {
			style, so = t.Warn, "so lanes rest longer here until another is closed."
		}
		lines = append(lines, paragraph(inner, style, fmt.Sprintf("%d windows share this key's hour: each has its part of the pace, %s", 1+b.Programs, so))...)
	}
	lines = append(lines, paragraph(inner, t.Muted, grouped(reserve)+" an hour are kept for what you do. When requests are short, deposits rest longer first, codes last.")...)
	d := r.store.Codes.Delays()
	if d.Seen.N > 0 {
		text := fmt.Sprintf("codes here after %s, 95 %% within %s (%d in this session)", widget.Age(d.Seen.P50), widget.Age(d.Seen.P95), d.Seen.N)
		if key := r.keys.Key(keymap.OpenCodeTimes); key != "" {
			text += "; " + key + " lists them"
		}
		lines = append(lines, paragraph(inner, t.Text, text)...)
	}
	if d.Copied.N > 0 {
		lines = append(lines, paragraph(inner, t.Text, fmt.Sprintf("copied %s later, 95 %% within %s", widget.Age(d.Copied.P50), widget.Age(d.Copied.P95)))...)
	}
	hints := []string{"esc close"}
	if len(lines) > h-3 {
		hints = append(hints, "↑↓ more")
	}
	return scrolled(t, "Requests of the hour", append(r.part(lines, h-3), keyLines(t, inner, hints...)...), w, r.Scroll)
}

// elsewhere tells what others had a part in.
func elsewhere(b state.Budget) string {
	return grouped(b.Elsewhere) + " of them before this start or elsewhere"
}

// total draws a figure against its limit.
func (r *Requests) total(w int, name string, used, limit int) string {
	t := r.theme
	figure := grouped(used) + " of " + grouped(limit)
	spans := []widget.Span{
		{Style: t.Muted, Text: fmt.Sprintf(" %-12s", name)},
		{Style: t.Strong, Text: fmt.Sprintf("%16s  ", figure)},
	}
	room := max(0, w-widget.SpansWidth(spans)-1)
	return widget.JoinHorizontal(
		[]string{widget.Spans(w-room, spans...)},
		[]string{widget.Bar(float64(used)/float64(limit), room, widget.BarStyles{Fill: t.Bar, Rest: t.BarRest})},
	)[0]
}

func grouped(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d,%03d", n/1000, n%1000)
}

// short is an interval as a person says it.
func short(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("%.1fs", d.Seconds())
	case d < 2*time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	}
	return fmt.Sprintf("%dm", int(d.Minutes()))
}
