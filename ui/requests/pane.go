// Package requests is the pane of what was asked of the API lately: which
// route, how it ended, how long it took, what it cost. It takes the place of
// the card list.
package requests

import (
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/requestlog"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
)

// Pane lists the requests, the newest first.
type Pane struct {
	pane.List[requestlog.Request, uint64]

	failed int // of all
}

var _ interface {
	pane.Pane
	pane.Typist
	pane.Backer
} = (*Pane)(nil)

// New makes an empty pane.
func New(t *theme.Theme) *Pane {
	p := &Pane{}
	p.List = pane.NewList(t, pane.ListConfig[requestlog.Request, uint64]{
		Name: lang.N("Requests"), Columns: columns(), Filtered: true, Live: true, Key: func(r requestlog.Request) uint64 { return r.N },
		List: p.matching, Frame: p.frame, Empty: p.empty, Row: p.row, Detail: p.detail, MostDetail: 1,
	})
	return p
}

// Context is where the pane's keys are looked up.
func (p *Pane) Context() keymap.Context { return keymap.Calls }

// Reads returns the parts of the store that the pane shows.
func (p *Pane) Reads() kernel.Topic { return kernel.TopicRequests }

// Sync reads the store again.
func (p *Pane) Sync(s *state.Store, _ kernel.Topic) { p.Update(s) }

// Act moves the cursor, filters, exports what is shown, or copies the id of the
// request.
func (p *Pane) Act(a keymap.Action) []kernel.Intent {
	if p.Moves(a) {
		return nil
	}
	if a == keymap.Export {
		return []kernel.Intent{pane.ExportRows{Rows: requestlog.Rows(p.Rows())}}
	}
	r, ok := p.Picked()
	switch {
	case a == keymap.CopyRequestID:
		return []kernel.Intent{secrets.CopyText{What: p.Theme.Words.T("request id"), Text: string(r.ID)}}
	case a == keymap.CopyCurl && ok:
		return []kernel.Intent{secrets.CopyText{What: p.Theme.Words.T("the request as a curl command"), Text: r.Curl()}}
	}
	return nil
}

// matching lists the requests that match.
func (p *Pane) matching() []requestlog.Request {
	words := p.Filter.Words()
	out := p.Rows()[:0]
	p.failed = 0
	for i := range p.Store.Requests.All() {
		r := p.Store.Requests.At(i)
		if r.Failed() {
			p.failed++
		}
		if words.All() || words.Match(r.Text(p.Theme.Words)) {
			out = append(out, r)
		}
	}
	return out
}
