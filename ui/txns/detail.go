package txns

import (
	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/decline"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/state/txlink"
	"github.com/cardtop/cardtop/state/txns"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Detail shows the transaction that is looked at.
type Detail struct {
	theme *theme.Theme
	keys  *keymap.Map
	store *state.Store
	shown txns.Detailed
	top   int // first line in sight
	// linked is what the transaction belongs with, code the challenge that
	// probably led to it; nil for none.
	linked []txlink.Related
	code   *codes.Ended
	// why is why it was declined; false when it was not, or nobody can tell.
	why      decline.Answer
	declined bool

	w, h    int
	dirty   bool
	focused bool
	lines   []string
	framing widget.Framing
}

var _ pane.Pane = (*Detail)(nil)

// NewDetail makes an empty pane.
func NewDetail(t *theme.Theme, keys *keymap.Map) *Detail { return &Detail{theme: t, keys: keys} }

// Context is where the pane's keys are looked up.
func (p *Detail) Context() keymap.Context { return keymap.Charge }

// Reads returns the parts of the store that the pane shows.
func (p *Detail) Reads() kernel.Topic {
	return kernel.TopicInspector | kernel.TopicFeed | kernel.TopicCards | kernel.TopicCodes | kernel.TopicOps | kernel.TopicClock
}

// SetSize sets the pane's rectangle, borders included.
func (p *Detail) SetSize(w, h int) { p.w, p.h, p.dirty = w, h, true }

// related are the parts of the store that decide what belongs with a
// transaction.
const related = kernel.TopicInspector | kernel.TopicFeed | kernel.TopicCards | kernel.TopicCodes

// Sync reads the store again. Another transaction begins at its top.
func (p *Detail) Sync(s *state.Store, changed kernel.Topic) {
	p.store, p.dirty = s, true
	before := p.shown.ID
	p.shown = s.Txns.Detailed()
	if p.shown.ID != before {
		p.top = 0
	}
	if p.shown.ID != before || changed&related != 0 {
		p.relate()
	}
}

// relate finds what belongs with the transaction.
func (p *Detail) relate() {
	p.linked, p.code = nil, nil
	p.why, p.declined = p.store.Insight.Decline(p.shown.ID)
	p.why = pane.StillHelps(p.store, p.Card(), p.why)
	if !p.shown.Known {
		return
	}
	p.linked = p.store.Txns.Linked(p.shown.Row)
	if e, ok := p.store.Codes.LikelyTransactionOf(p.shown.Row); ok {
		p.code = &e
	}
}

// fix is the key that helps against the decline, and what it asks for; nil for none.
func (p *Detail) fix() (keymap.Action, kernel.Intent) {
	if !p.declined {
		return "", nil
	}
	return pane.Fix(p.store, p.Card(), p.why)
}

// Act scrolls, goes to another transaction, or asks for something to be done
// with the card.
func (p *Detail) Act(a keymap.Action) []kernel.Intent {
	p.dirty = true
	if p.scroll(a) || p.store == nil {
		return nil
	}
	switch a {
	case keymap.NextTransaction:
		return []kernel.Intent{txns.Step{By: 1}}
	case keymap.PrevTransaction:
		return []kernel.Intent{txns.Step{By: -1}}
	case keymap.FollowLink:
		return []kernel.Intent{txns.FollowLink{}}
	case keymap.CopyID:
		return []kernel.Intent{secrets.CopyText{What: p.theme.Words.T("transaction id"), Text: string(p.shown.ID)}}
	default:
	}
	if id := p.Card(); id != "" {
		if fix, in := p.fix(); in != nil && fix == a {
			return []kernel.Intent{in}
		}
		return pane.OnCard(p.store, id, a)
	}
	return nil
}

// Card is that of the transaction; empty while it is not known.
func (p *Detail) Card() api.CardID {
	if !p.shown.Known {
		return ""
	}
	return p.shown.Row.CardID
}

// Transaction is the one that is looked at.
func (p *Detail) Transaction() api.TransactionID { return p.shown.ID }

func (p *Detail) scroll(a keymap.Action) bool {
	page := max(1, p.h-3)
	switch a {
	case keymap.Up:
		p.top--
	case keymap.Down:
		p.top++
	case keymap.PageUp:
		p.top -= page
	case keymap.PageDown:
		p.top += page
	case keymap.First:
		p.top = 0
	case keymap.Last:
		p.top = len(p.text(max(1, p.w-2)))
	default:
		return false
	}
	return true
}

// Click does nothing: there is nothing to pick.
func (*Detail) Click(int, int) []kernel.Intent { return nil }

// View draws the transaction.
func (p *Detail) View(focused bool) []string {
	if !p.dirty && focused == p.focused {
		return p.lines
	}
	p.dirty, p.focused = false, focused
	f := pane.Frame(p.theme, "1", p.theme.Words.T("Transaction"), focused)
	var body []string
	if p.store != nil {
		f.Title = append(f.Title, p.place())
		text := p.text(max(1, p.w-2))
		room := max(0, p.h-2)
		p.top = max(0, min(p.top, len(text)-room))
		body = text[p.top:]
		f.Scroll = widget.Scroll{Offset: p.top, Visible: room, Total: len(text)}
	}
	f.Leave = []widget.Span{{Style: p.theme.Muted, Text: p.theme.Words.T("esc back")}}
	p.lines = p.framing.Draw(f, body, p.w, p.h)
	return p.lines
}
