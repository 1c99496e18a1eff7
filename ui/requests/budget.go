package requests

import (
	"fmt"
	"strconv"
	"time"

	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/push"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// The limits of the API, in requests, and the part of the hour that is reserved
// for what the user does.
const (
	perMinute = 1_000
	perHour   = 10_000
	reserve   = 2_000
)

// Requests shows how the hour's requests were used, lane by lane, and how fast
// codes were in this session.
type Requests struct {
	dialog.Reader
	store *state.Store
	keys  *keymap.Map
}

// NewRequests makes the dialog.
func NewRequests(t *theme.Theme, s *state.Store, keys *keymap.Map) *Requests {
	return &Requests{Reader: dialog.Reader{Theme: t}, store: s, keys: keys}
}

// Traits implements Dialog.
func (r *Requests) Traits() dialog.Traits {
	return dialog.Traits{Public: true, Move: r.Move}
}

// Sync makes the dialog read the store again.
func (r *Requests) Sync(s *state.Store, _ kernel.Topic) { r.store = s }

// Type closes it on the keys that open it or quit.
func (r *Requests) Type(key, _ string) dialog.Result {
	act, _ := r.keys.Resolve(key, keymap.Global)
	return dialog.Result{Close: act == keymap.Requests || act == keymap.Quit}
}

// View draws the box.
func (r *Requests) View(w, h int) []string {
	t, b := r.Theme, r.store.Poll.Budget()
	w = min(w, 66)
	inner := w - 2
	lines := []string{
		r.total(inner, t.Words.T("last hour"), b.Hour, perHour),
		r.total(inner, t.Words.T("last minute"), b.Minute, perMinute),
		widget.Spans(inner),
	}
	lanes, slowed := r.lanes(inner)
	lines = append(append(lines, lanes...), widget.Spans(inner))
	if b.Elsewhere > 0 {
		lines = append(lines, dialog.Paragraph(inner, t.Text, t.Words.Tf("%s of them before this start or elsewhere", grouped(t.Words, b.Elsewhere)))...)
	}
	if b.Programs > 0 {
		style, effect := t.Text, t.Words.T("no lane is slower for it")
		if slowed {
			style, effect = t.Warn, t.Words.T("lanes are slower until another is closed")
		}
		lines = append(lines, dialog.Paragraph(inner, style, t.Words.Tf("%d windows share this key's limit: %s", 1+b.Programs, effect))...)
	}
	lines = append(lines, r.push(inner)...)
	lines = append(lines, dialog.Paragraph(inner, t.Muted, t.Words.Tf("%s per hour are reserved for your actions. When requests run short, deposits slow down first, codes last.", grouped(t.Words, reserve)))...)
	return r.Draw(t.Words.T("API requests"), w, h, append(lines, r.delays(inner)...), nil, "esc "+t.Words.T("close"))
}

// push says whether webhooks tell of what is new, or why they do not.
func (r *Requests) push(w int) []string {
	t := r.Theme
	style, text := t.Text, ""
	switch now, why := r.store.Push.Status(); {
	case now == push.Off:
		return nil
	case now == push.Lost:
		style, text = t.Warn, t.Words.Tf("polling: %s", t.Words.T(why))
	case now == push.Opening:
		text = t.Words.T("push: waiting for the webhook and a heartbeat")
	case r.store.Poll.Source(poll.Codes).Pushed:
		text = t.Words.T("push: webhooks tell of what is new, lanes rest")
	default:
		text = t.Words.T("push: webhooks arrive; codes rest once a webhook told of one")
	}
	lines := dialog.Paragraph(w, style, text)
	if n := r.store.Push.Others(); n > 0 {
		lines = append(lines, dialog.Paragraph(w, t.Warn, t.Words.Tn(n, "%d delivery refused: signed with another secret, or not at all", "%d deliveries refused: signed with another secret, or not at all"))...)
	}
	return lines
}

// lanes draws a row a lane, and reports whether one is slower than planned.
func (r *Requests) lanes(w int) (lines []string, slowed bool) {
	t, row := r.Theme, "%-14s %9s %9s %7s"
	if w < 45 {
		row = "%-12s %5s %7s %5s"
	}
	text := func(style, s string) string { return widget.Spans(w, widget.Span{Style: style, Text: " " + s}) }
	lines = []string{text(t.Header, fmt.Sprintf(row, t.Words.T("lane"), t.Words.T("every"), t.Words.T("planned"), t.Words.T("hour")))}
	for _, l := range r.store.Poll.Uses() {
		style, every, planned := t.Text, "–", "–"
		if l.Planned > 0 {
			every, planned = short(t.Words, l.Every), short(t.Words, l.Planned)
			if l.Every > l.Planned && every != planned { // As far as the figures show.
				style, slowed = t.Warn, true
			}
		}
		lines = append(lines, text(style, fmt.Sprintf(row, t.Words.T(l.Name), every, planned, fmt.Sprint(l.Used))))
	}
	return lines, slowed
}

// delays draws how fast codes were.
func (r *Requests) delays(w int) []string {
	var lines []string
	d := r.store.Codes.Delays()
	if d.Seen.N > 0 {
		text := r.Theme.Words.Tf("codes after %s, 95 %% within %s (%d in this session)", r.Theme.Words.Age(d.Seen.P50), r.Theme.Words.Age(d.Seen.P95), d.Seen.N)
		if key := r.keys.Key(keymap.OpenCodeTimes); key != "" {
			text = r.Theme.Words.Tf("%s; %s lists them", text, key)
		}
		lines = append(lines, dialog.Paragraph(w, r.Theme.Text, text)...)
	}
	if d.Copied.N > 0 {
		lines = append(lines, dialog.Paragraph(w, r.Theme.Text, r.Theme.Words.Tf("copied %s later, 95 %% within %s", r.Theme.Words.Age(d.Copied.P50), r.Theme.Words.Age(d.Copied.P95)))...)
	}
	return lines
}

// total draws a figure and its limit.
func (r *Requests) total(w int, name string, used, limit int) string {
	t := r.Theme
	figure := fmt.Sprintf(t.Words.Tc("of a limit", "%s of %s"), grouped(t.Words, used), grouped(t.Words, limit))
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

func grouped(w *lang.Words, n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return w.Number(fmt.Sprintf("%d,%03d", n/1000, n%1000))
}

// short formats an interval.
func short(w *lang.Words, d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return w.Tf("%ss", w.Number(fmt.Sprintf("%.1f", d.Seconds())))
	case d < 2*time.Minute:
		return w.Tf("%ds", int(d.Seconds()))
	}
	return w.Tf("%dm", int(d.Minutes()))
}
