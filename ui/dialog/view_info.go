package dialog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
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
	inert
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

// Traits tells what the stack needs to know of the dialog.
func (r *Requests) Traits() Traits {
	return Traits{Public: true, Move: r.Move}
}

// Act closes it.
func (r *Requests) Act(a keymap.Action) Result {
	return Result{Close: a == keymap.Cancel || a == keymap.Confirm}
}

// Type closes it on the keys that open it or quit.
func (r *Requests) Type(key, _ string) Result {
	act, _ := r.keys.Resolve(key, keymap.Global)
	return Result{Close: act == keymap.Requests || act == keymap.Quit}
}

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

// Mistakes lists what is wrong in the configuration as it was last changed.
type Mistakes struct {
	inert
	theme *theme.Theme
	keys  *keymap.Map
	all   []string
	scroller
}

// NewMistakes makes the dialog of mistakes that each name their place.
func NewMistakes(t *theme.Theme, keys *keymap.Map, all []string) *Mistakes {
	return &Mistakes{theme: t, keys: keys, all: all}
}

// Traits tells what the stack needs to know of the dialog.
func (m *Mistakes) Traits() Traits {
	return Traits{Move: m.Move}
}

// Act closes the list.
func (*Mistakes) Act(a keymap.Action) Result {
	return Result{Close: a == keymap.Cancel || a == keymap.Confirm}
}

// Type closes the list on the keys that open it or quit.
func (m *Mistakes) Type(key, _ string) Result {
	act, _ := m.keys.Resolve(key, keymap.Global)
	return Result{Close: act == keymap.Configuration || act == keymap.Quit}
}

// View draws the box. What goes on in a second line stands in from the first.
func (m *Mistakes) View(w, h int) []string {
	t := m.theme
	w = min(w, 110)
	inner := w - 2
	var rows []string
	for _, text := range m.all {
		for i, line := range widget.Wrap(text, max(1, inner-4)) {
			rows = append(rows, widget.Spans(inner, widget.Span{Style: t.Text, Text: strings.Repeat("  ", min(i, 1)) + " " + line}))
		}
	}
	title := "Configuration"
	var foot []string
	if len(rows) == 0 {
		rows = paragraph(inner, t.Text, "no mistake was found in the configuration")
	} else {
		title += fmt.Sprintf("  %d wrong", len(m.all))
		foot = paragraph(inner, t.Muted, "the settings in force are the last that were right")
	}
	keys := []string{"esc close"}
	if len(rows) > h-3-len(foot) {
		keys = append(keys, "↑↓ more")
	}
	foot = append(foot, keyLines(t, inner, keys...)...)
	return scrolled(t, title, append(m.part(rows, h-2-len(foot)), foot...), w, m.Scroll)
}

// copyKey copies the request.
const copyKey = "y"

// DryRun shows the write that would have been sent.
type DryRun struct {
	inert
	theme   *theme.Theme
	request state.ShowRequest
	scroller
}

// NewDryRun makes the dialog.
func NewDryRun(t *theme.Theme, request state.ShowRequest) *DryRun {
	return &DryRun{theme: t, request: request}
}

// Traits tells what the stack needs to know of the dialog.
func (d *DryRun) Traits() Traits {
	return Traits{Move: d.Move}
}

// Act closes it.
func (*DryRun) Act(a keymap.Action) Result {
	return Result{Close: a == keymap.Cancel || a == keymap.Confirm}
}

// Type copies the request.
func (d *DryRun) Type(key, _ string) Result {
	if key == copyKey {
		return Result{Intents: []state.Intent{state.CopyText{What: "the request as a curl command", Text: d.command()}}}
	}
	return Result{}
}

func (d *DryRun) command() string {
	w := d.request.Write
	// The ids in it are the server's: a dollar would be the shell's to fill.
	path := strings.ReplaceAll(w.Path, "$", "%24")
	return state.Curl(w.Method, path, d.request.Key, w.Body)
}

// View draws the box.
func (d *DryRun) View(w, h int) []string {
	t := d.theme
	w = min(w, 76)
	inner := w - 2
	req := d.request.Write
	lines := []string{
		widget.Spans(inner, widget.Span{Style: t.Strong, Text: " " + req.Method + " "}, widget.Span{Style: t.Text, Text: req.Path}),
		widget.Spans(inner, widget.Span{Style: t.Muted, Text: " Authorization: Bearer $CARDTOP_API_KEY"}),
		widget.Spans(inner, widget.Span{Style: t.Muted, Text: " X-Idempotency-Key: " + string(d.request.Key)}),
	}
	for line := range strings.SplitSeq(body(req.Body), "\n") {
		lines = append(lines, widget.Spans(inner, widget.Span{Style: t.Text, Text: " " + line}))
	}
	foot := append(paragraph(inner, t.Warn, "DRY RUN: nothing is sent"), keyLines(t, inner, copyKey+" copy as curl", "esc back")...)
	what := d.request.Kind.String()
	return scrolled(t, "Dry run: "+what+" of "+d.request.Name, append(d.part(lines, h-2-len(foot)), foot...), w, d.Scroll)
}

// body is JSON for reading.
func body(raw []byte) string {
	if len(raw) == 0 {
		return "(no body)"
	}
	var out bytes.Buffer
	if err := json.Indent(&out, raw, "", "  "); err != nil {
		return string(raw)
	}
	return out.String()
}
