package history

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/requestlog"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// copyKey copies the request.
const copyKey = "y"

// DryRun shows the request that would have been sent.
type DryRun struct {
	dialog.Reader
	request state.ShowRequest
}

// NewDryRun makes the dialog.
func NewDryRun(t *theme.Theme, request state.ShowRequest) *DryRun {
	return &DryRun{Reader: dialog.Reader{Theme: t}, request: request}
}

// Traits implements Dialog.
func (d *DryRun) Traits() dialog.Traits {
	return dialog.Traits{Move: d.Move}
}

// Type copies the request.
func (d *DryRun) Type(key, _ string) dialog.Result {
	if key == copyKey {
		return dialog.Result{Intents: []kernel.Intent{secrets.CopyText{What: d.Theme.Words.T("the request as a curl command"), Text: d.command()}}}
	}
	return dialog.Result{}
}

func (d *DryRun) command() string {
	w := d.request.Write
	// Ids come from the server: the shell must not expand a dollar in them.
	path := strings.ReplaceAll(w.Path, "$", "%24")
	return requestlog.Curl(w.Method, path, d.request.Key, w.Body)
}

// View draws the box.
func (d *DryRun) View(w, h int) []string {
	t := d.Theme
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
	return d.Draw(title, w, h, lines, dialog.Paragraph(inner, t.Warn, t.Words.T("DRY RUN: nothing is sent")), copyKey+" "+t.Words.T("copy as curl"), "esc "+t.Words.T("back"))
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
