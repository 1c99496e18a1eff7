package ui

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/internal/clipboard"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/dialog"
)

// copyTimeout bounds a copy; the board itself gives up sooner.
const copyTimeout = 5 * time.Second

// run turns effects into commands. What needs no waiting is done here. asked
// tells that a person's wish led to them just now.
func (a *App) run(effects []state.Effect, asked bool) tea.Cmd {
	var cmds []tea.Cmd
	for _, e := range effects {
		switch e := e.(type) {
		case state.HoldDetails:
			a.cfg.Vault.Hold(e.Details)
		case state.WipeDetails:
			a.cfg.Vault.Forget()
		case state.HoldSigning:
			a.cfg.Vault.HoldSigning(e.Webhook, e.Secret)
			// It is told this once: on a private screen the dialog waits covered.
			a.dialogs.Push(dialog.NewSigning(&a.theme, a.store, a.cfg.Vault), a.cfg.Now())
			a.dirty = true
		case state.WipeSigning:
			a.cfg.Vault.ForgetSigning()
		case state.CopySigning:
			if secret, ok := a.cfg.Vault.ReadSigning(e.Webhook); ok {
				cmds = append(cmds, a.copy(copyJob{e.Seq, secret, e.TTL}))
			}
		case state.CopyDetail:
			if secret, ok := a.cfg.Vault.Read(e.Card, e.Field); ok {
				cmds = append(cmds, a.copy(copyJob{e.Seq, secret, e.TTL}))
			}
		case state.CopyCard:
			if secret, ok := a.cfg.Vault.Fill(e.Card, e.Parts); ok {
				cmds = append(cmds, a.copy(copyJob{e.Seq, secret, e.TTL}))
			}
		case state.CopyOTP:
			cmds = append(cmds, a.copy(copyJob{e.Seq, state.NewSecret(e.OTP.Expose()), e.TTL}))
		case state.CopyPlain:
			cmds = append(cmds, a.copy(copyJob{e.Seq, state.NewSecret(e.Text), e.TTL}))
		case state.ShowRequest:
			a.push(dialog.NewDryRun(&a.theme, e))
			a.dirty = true
		default:
			run, n := a.cfg.Run, a.errands.begin(awaited(e, asked), a.cfg.Now())
			cmds = append(cmds, contain(func() tea.Msg { return eventMsg{run(e), n} }))
		}
	}
	return tea.Batch(cmds...)
}

// copyJob is a secret on its way to the clipboard.
type copyJob struct {
	seq    state.Seq
	secret state.Secret
	ttl    time.Duration
}

// copyMsg is what came of asking the board.
type copyMsg struct {
	seq    state.Seq
	report clipboard.Report
	err    error
}

// copy puts a secret on the clipboard, one at a time and in the order they
// were asked for; of several that wait only the last is copied.
func (a *App) copy(job copyJob) tea.Cmd {
	if a.copying {
		a.waiting.secret.Wipe()
		a.waiting = job
		return nil
	}
	a.copying = true
	board := a.cfg.Board
	return contain(func() tea.Msg {
		defer job.secret.Wipe()
		ctx, cancel := context.WithTimeout(context.Background(), copyTimeout)
		defer cancel()
		report, err := board.Copy(ctx, clipboard.Item{Secret: job.secret.Bytes(), TTL: job.ttl})
		return copyMsg{job.seq, report, err}
	})
}

func (a *App) onCopied(m copyMsg) tea.Cmd {
	a.copying = false
	ev := state.Copied{Seq: m.seq, At: a.cfg.Now(), State: clipState(m.report.State), Until: m.report.Until, Via: m.report.Via, Hinted: m.report.Hinted}
	why := m.report.Err
	if why == nil {
		why = m.err
	}
	switch {
	case m.err == nil:
		a.onClipboard = copied{m.report.ID, m.seq}
	case errors.Is(m.err, clipboard.ErrNoTool):
		ev.State, ev.Hint = state.ClipNoTool, why.Error()
	default:
		ev.State, ev.Hint = state.ClipFailed, why.Error()
	}
	cmd := a.apply(ev)
	if next := a.waiting; !next.secret.IsZero() {
		a.waiting = copyJob{}
		if a.store.Privacy.Locked() {
			next.secret.Wipe()
			return cmd
		}
		return tea.Batch(cmd, a.copy(next))
	}
	return cmd
}

// copied is a copy the board reports on later.
type copied struct {
	id  uint64
	seq state.Seq
}

// onClip hears what became of a copy later. That our next copy takes its
// place is no news.
func (a *App) onClip(r clipboard.Report) tea.Cmd {
	if r.ID != a.onClipboard.id || a.copying && r.State == clipboard.Replaced {
		return nil
	}
	ev := state.Copied{Seq: a.onClipboard.seq, At: a.cfg.Now(), State: clipState(r.State), Until: r.Until}
	if r.Err != nil {
		ev.Hint = r.Err.Error()
	}
	return a.apply(ev)
}

func clipState(s clipboard.State) state.ClipState {
	switch s {
	case clipboard.Copied:
		return state.ClipCopied
	case clipboard.Sent:
		return state.ClipSent
	case clipboard.Cleared, clipboard.Blanked:
		return state.ClipCleared
	case clipboard.Replaced:
		return state.ClipReplaced
	case clipboard.CannotClear:
		return state.ClipStuck
	case clipboard.NoTool:
		return state.ClipNoTool
	default:
		return state.ClipNone
	}
}
