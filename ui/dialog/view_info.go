package dialog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/push"
	"github.com/cardtop/cardtop/state/requestlog"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// reader is embedded by boxes that are only read: they scroll, and enter and
// esc close them.
type reader struct {
	inert
	theme *theme.Theme
	scroller
}

// Act closes the box.
func (*reader) Act(a keymap.Action) Result {
	return Result{Close: a == keymap.Cancel || a == keymap.Confirm}
}

// view draws lines that scroll above a foot and the keys, in a box of w cells.
func (r *reader) view(title string, w, h int, lines, foot []string, keys ...string) []string {
	if len(lines) > h-3-len(foot) {
		keys = append(keys, "↑↓ "+r.theme.Words.T("scroll"))
	}
	foot = append(foot, keyLines(r.theme, w-2, keys...)...)
	return scrolled(r.theme, title, append(r.part(lines, h-2-len(foot)), foot...), w, r.Scroll)
}

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
	reader
	store *state.Store
	keys  *keymap.Map
}

// NewRequests makes the dialog.
func NewRequests(t *theme.Theme, s *state.Store, keys *keymap.Map) *Requests {
	return &Requests{reader: reader{theme: t}, store: s, keys: keys}
}

// Traits implements Dialog.
func (r *Requests) Traits() Traits {
	return Traits{Public: true, Move: r.Move}
}

// Sync makes the dialog read the store again.
func (r *Requests) Sync(s *state.Store, _ kernel.Topic) { r.store = s }

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
	lines := []string{
		r.total(inner, t.Words.T("last hour"), b.Hour, perHour),
		r.total(inner, t.Words.T("last minute"), b.Minute, perMinute),
		widget.Spans(inner),
	}
	lanes, slowed := r.lanes(inner)
	lines = append(append(lines, lanes...), widget.Spans(inner))
	if b.Elsewhere > 0 {
		lines = append(lines, paragraph(inner, t.Text, t.Words.Tf("%s of them before this start or elsewhere", grouped(t.Words, b.Elsewhere)))...)
	}
	if b.Programs > 0 {
		style, effect := t.Text, t.Words.T("no lane is slower for it")
		if slowed {
			style, effect = t.Warn, t.Words.T("lanes are slower until another is closed")
		}
		lines = append(lines, paragraph(inner, style, t.Words.Tf("%d windows share this key's limit: %s", 1+b.Programs, effect))...)
	}
	lines = append(lines, r.push(inner)...)
	lines = append(lines, paragraph(inner, t.Muted, t.Words.Tf("%s per hour are reserved for your actions. When requests run short, deposits slow down first, codes last.", grouped(t.Words, reserve)))...)
	return r.view(t.Words.T("API requests"), w, h, append(lines, r.delays(inner)...), nil, "esc "+t.Words.T("close"))
}

// push says whether webhooks tell of what is new, or why they do not.
func (r *Requests) push(w int) []string {
	t := r.theme
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
	lines := paragraph(w, style, text)
	if n := r.store.Push.Others(); n > 0 {
		lines = append(lines, paragraph(w, t.Warn, t.Words.Tn(n, "%d delivery refused: signed with another secret, or not at all", "%d deliveries refused: signed with another secret, or not at all"))...)
	}
	return lines
}

// lanes draws a row a lane, and reports whether one is slower than planned.
func (r *Requests) lanes(w int) (lines []string, slowed bool) {
	t, row := r.theme, "%-14s %9s %9s %7s"
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
		text := r.theme.Words.Tf("codes after %s, 95 %% within %s (%d in this session)", r.theme.Words.Age(d.Seen.P50), r.theme.Words.Age(d.Seen.P95), d.Seen.N)
		if key := r.keys.Key(keymap.OpenCodeTimes); key != "" {
			text = r.theme.Words.Tf("%s; %s lists them", text, key)
		}
		lines = append(lines, paragraph(w, r.theme.Text, text)...)
	}
	if d.Copied.N > 0 {
		lines = append(lines, paragraph(w, r.theme.Text, r.theme.Words.Tf("copied %s later, 95 %% within %s", r.theme.Words.Age(d.Copied.P50), r.theme.Words.Age(d.Copied.P95)))...)
	}
	return lines
}

// total draws a figure and its limit.
func (r *Requests) total(w int, name string, used, limit int) string {
	t := r.theme
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

// Mistakes lists what is wrong in the configuration since it was last changed.
type Mistakes struct {
	reader
	keys *keymap.Map
	all  []string
}

// NewMistakes makes the dialog of errors that each name their place.
func NewMistakes(t *theme.Theme, keys *keymap.Map, all []string) *Mistakes {
	return &Mistakes{reader: reader{theme: t}, keys: keys, all: all}
}

// Traits implements Dialog.
func (m *Mistakes) Traits() Traits {
	return Traits{Move: m.Move}
}

// Type closes the list on the keys that open it or quit.
func (m *Mistakes) Type(key, _ string) Result {
	act, _ := m.keys.Resolve(key, keymap.Global)
	return Result{Close: act == keymap.Configuration || act == keymap.Quit}
}

// View draws the box. The continuation of an error is indented.
func (m *Mistakes) View(w, h int) []string {
	t := m.theme
	w = min(w, 110)
	inner := w - 2
	if len(m.all) == 0 {
		return m.view(t.Words.T("Configuration"), w, h, paragraph(inner, t.Text, t.Words.T("no errors")), nil, "esc "+t.Words.T("close"))
	}
	var rows []string
	for _, text := range m.all {
		for i, line := range widget.Wrap(text, max(1, inner-4)) {
			rows = append(rows, widget.Spans(inner, widget.Span{Style: t.Text, Text: strings.Repeat("  ", min(i, 1)) + " " + line}))
		}
	}
	foot := paragraph(inner, t.Muted, t.Words.T("using the last valid settings"))
	return m.view(t.Words.Tf("Configuration: %s", errorCount(t.Words, len(m.all))), w, h, rows, foot, "esc "+t.Words.T("close"))
}

// copyKey copies the request.
const copyKey = "y"

// DryRun shows the request that would have been sent.
type DryRun struct {
	reader
	request state.ShowRequest
}

// NewDryRun makes the dialog.
func NewDryRun(t *theme.Theme, request state.ShowRequest) *DryRun {
	return &DryRun{reader: reader{theme: t}, request: request}
}

// Traits implements Dialog.
func (d *DryRun) Traits() Traits {
	return Traits{Move: d.Move}
}

// Type copies the request.
func (d *DryRun) Type(key, _ string) Result {
	if key == copyKey {
		return Result{Intents: []kernel.Intent{secrets.CopyText{What: d.theme.Words.T("the request as a curl command"), Text: d.command()}}}
	}
	return Result{}
}

func (d *DryRun) command() string {
	w := d.request.Write
	// Ids come from the server: the shell must not expand a dollar in them.
	path := strings.ReplaceAll(w.Path, "$", "%24")
	return requestlog.Curl(w.Method, path, d.request.Key, w.Body)
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
	for line := range strings.SplitSeq(body(t.Words, req.Body), "\n") {
		lines = append(lines, widget.Spans(inner, widget.Span{Style: t.Text, Text: " " + line}))
	}
	title := t.Words.Tf("Dry run: %s of %s", pane.OpName(t.Words, d.request.Kind.String()), d.request.Name)
	return d.view(title, w, h, lines, paragraph(inner, t.Warn, t.Words.T("DRY RUN: nothing is sent")), copyKey+" "+t.Words.T("copy as curl"), "esc "+t.Words.T("back"))
}

// body indents JSON.
func body(w *lang.Words, raw []byte) string {
	if len(raw) == 0 {
		return w.T("(no body)")
	}
	var out bytes.Buffer
	if err := json.Indent(&out, raw, "", "  "); err != nil {
		return string(raw)
	}
	return out.String()
}
