package ui

import (
	"slices"
	"time"

	"charm.land/bubbles/v2/spinner"
	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/ui/history"
	"github.com/cardtop/cardtop/ui/tty"
	"github.com/cardtop/cardtop/ui/webhooks"
	"github.com/cardtop/cardtop/ui/widget"
)

// Effects runs the store's effects.
type Effects interface {
	// Start does at once what concerns memory only, and returns what blocks, nil
	// for nothing. It is called in Update; what it returns is called from a command.
	// The event is nil when there is nothing to apply.
	Start(effect kernel.Effect, on Screen) (wait func() kernel.Event)
	// DropCopy drops the copy that waits until another is done.
	DropCopy()
}

// Screen is what an effect may open: the App.
type Screen = interface {
	// ShowSigning shows the signing secret that the vault has just taken over.
	ShowSigning()
	// ShowRequest shows a write that a dry run did not send.
	ShowRequest(request state.ShowRequest)
}

// run starts effects and returns what of them blocks as commands. asked says
// that what the user has just asked for led to them.
func (a *App) run(effects []kernel.Effect, asked bool) tea.Cmd {
	if a.store.Privacy.Locked() {
		a.cfg.Effects.DropCopy()
	}
	var cmds []tea.Cmd
	for _, e := range effects {
		wait := a.cfg.Effects.Start(e, a)
		if wait == nil {
			continue
		}
		n := a.reads.begin(readLabel(e, asked), a.cfg.Now())
		cmds = append(cmds, tty.Contain(func() tea.Msg {
			if ev := wait(); ev != nil {
				return eventMsg{ev, n}
			}
			return nil
		}))
	}
	return tea.Batch(cmds...)
}

// ShowSigning implements Screen. The server returns the secret once only: on a
// private screen the dialog opens covered instead of being refused.
func (a *App) ShowSigning() {
	a.dialogs.Push(webhooks.NewSigning(&a.theme, a.store, a.cfg.Vault), a.cfg.Now())
	a.frame.invalidate()
}

// ShowRequest implements Screen.
func (a *App) ShowRequest(request state.ShowRequest) {
	a.push(history.NewDryRun(&a.theme, request))
}

// readShownAfter is how long a read is not shown: what is over sooner would only
// flicker. spinEvery is how often its spinner moves from then on.
const (
	readShownAfter = 300 * time.Millisecond
	spinEvery      = 120 * time.Millisecond
)

// pendingRead is something under way that the user waits for.
type pendingRead struct {
	n     int
	label string
	since time.Time
}

// pendingReads are those under way, the oldest first.
type pendingReads struct {
	open []pendingRead
	n    int
}

// readLabel says what the user waits for when an effect runs; empty for what
// goes on by itself, and for writes, which are on their rows.
func readLabel(e kernel.Effect, asked bool) string {
	if awaited, ok := e.(kernel.Awaited); ok {
		return awaited.Label(asked)
	}
	return ""
}

// begin adds a read and returns its number; 0 for an empty label.
func (p *pendingReads) begin(label string, now time.Time) int {
	if label == "" {
		return 0
	}
	p.n++
	p.open = append(p.open, pendingRead{p.n, label, now})
	return p.n
}

// end removes the read of a number, and reports whether it had been shown.
func (p *pendingReads) end(n int, now time.Time) (shown bool) {
	p.open = slices.DeleteFunc(p.open, func(r pendingRead) bool {
		shown = shown || r.n == n && now.Sub(r.since) >= readShownAfter
		return r.n == n
	})
	return shown
}

// next is when the spinner moves, or appears where nothing may move; zero when
// there is none.
func (p *pendingReads) next(now time.Time, still bool) time.Time {
	if len(p.open) == 0 {
		return time.Time{}
	}
	since := p.open[0].since
	if first := since.Add(readShownAfter); now.Before(first) {
		return first
	}
	if still {
		return time.Time{}
	}
	// In step with the spinner, whatever else wakes the program meanwhile.
	return since.Add((now.Sub(since)/spinEvery + 1) * spinEvery)
}

// shown returns the oldest, once it is to be shown.
func (p *pendingReads) shown(now time.Time) (pendingRead, bool) {
	if len(p.open) == 0 || now.Sub(p.open[0].since) < readShownAfter {
		return pendingRead{}, false
	}
	return p.open[0], true
}

// readParts show in the header what the user waits for: the spinner stays where
// there is no room for the words.
func (a *App) readParts() []part {
	now := a.store.Now()
	r, ok := a.reads.shown(now)
	if !ok {
		return nil
	}
	frames := spinner.MiniDot.Frames
	if a.theme.Still {
		frames = []string{"…"}
	}
	frame := frames[int(now.Sub(r.since)/spinEvery)%len(frames)]
	return []part{
		{[]widget.Span{{Style: a.theme.Info, Text: frame}}, 1},
		{[]widget.Span{{Style: a.theme.Info, Text: " " + a.theme.Words.T(r.label)}}, 4},
		{[]widget.Span{{Text: "  "}}, 1},
	}
}
