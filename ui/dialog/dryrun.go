package dialog

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// copyKey copies the request.
const copyKey = "y"

// DryRun shows the write that would have been sent.
type DryRun struct {
	theme   *theme.Theme
	request state.ShowRequest
	scroller
}

// NewDryRun makes the dialog.
func NewDryRun(t *theme.Theme, request state.ShowRequest) *DryRun {
	return &DryRun{theme: t, request: request}
}

// Sync does nothing: a request does not change.
func (*DryRun) Sync(*state.Store) {}

// Question is false: nothing is answered here.
func (*DryRun) Question() bool { return false }

// Paste does nothing.
func (*DryRun) Paste(string) {}

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
