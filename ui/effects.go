package ui

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/clip"
)

// copyTimeout bounds a copy; the board itself gives up sooner.
const copyTimeout = 5 * time.Second

// run turns effects into commands. What needs no waiting is done here.
func (a *App) run(effects []state.Effect) tea.Cmd {
	var cmds []tea.Cmd
	for _, e := range effects {
		switch e := e.(type) {
		case state.WipeDetails:
			a.cfg.Vault.Wipe()
		case state.CopyDetail:
			secret, ok := a.cfg.Vault.Read(e.Card, e.Field)
			if !ok {
				a.sync(a.store.Tell(state.Warn, "the details are gone from memory: copy again"))
				continue
			}
			cmds = append(cmds, a.copyCmd(secret, e.TTL))
		case state.CopyOTP:
			cmds = append(cmds, a.copyCmd(state.NewSecret(e.OTP.Expose()), e.TTL))
		default:
			run := a.cfg.Run
			cmds = append(cmds, contain(func() tea.Msg { return eventMsg{run(e)} }))
		}
	}
	return tea.Batch(cmds...)
}

// copyMsg is what came of asking the board.
type copyMsg struct {
	report clip.Report
	err    error
}

// copyCmd puts a secret on the clipboard and wipes it here.
func (a *App) copyCmd(secret state.Secret, ttl time.Duration) tea.Cmd {
	board := a.cfg.Board
	// What is reported of the copy before is old news from now on.
	a.clip = 0
	return contain(func() tea.Msg {
		defer secret.Wipe()
		ctx, cancel := context.WithTimeout(context.Background(), copyTimeout)
		defer cancel()
		report, err := board.Copy(ctx, clip.Item{Secret: secret.Bytes(), TTL: ttl})
		return copyMsg{report, err}
	})
}

func (a *App) onCopied(m copyMsg) tea.Cmd {
	ev := state.Copied{At: a.cfg.Now(), State: clipState(m.report.State), Until: m.report.Until}
	if m.err != nil {
		ev.Hint = m.err.Error()
		if !errors.Is(m.err, clip.ErrNoTool) {
			ev.State = state.ClipFailed
		}
	} else {
		a.clip = m.report.ID
	}
	return a.apply(ev)
}

// onClip hears what became of a copy later. Reports about copies before the
// latest are old news.
func (a *App) onClip(r clip.Report) tea.Cmd {
	if r.ID != a.clip {
		return nil
	}
	ev := state.Copied{At: a.cfg.Now(), State: clipState(r.State), Until: r.Until}
	if r.Err != nil {
		ev.Hint = r.Err.Error()
	}
	return a.apply(ev)
}

func clipState(s clip.State) state.ClipState {
	switch s {
	case clip.Copied:
		return state.ClipCopied
	case clip.Sent:
		return state.ClipSent
	case clip.Cleared, clip.Blanked:
		return state.ClipCleared
	case clip.Replaced:
		return state.ClipReplaced
	case clip.CannotClear:
		return state.ClipStuck
	case clip.NoTool:
		return state.ClipNoTool
	default:
		return state.ClipNone
	}
}
