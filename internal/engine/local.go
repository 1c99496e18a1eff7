package engine

import (
	"context"
	"errors"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/alerts"
	"github.com/cardtop/cardtop/state/commands"
	"github.com/cardtop/cardtop/state/insight"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/rows"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/state/views"
	"github.com/cardtop/cardtop/state/wallets"
)

// Views stores how lists are shown.
type Views interface {
	// Keep replaces what is stored, unless that has a higher number.
	Keep(seq poll.Seq, views settings.Views) error
}

// Push is the address of this program that webhooks are delivered to.
type Push interface {
	// Open opens the address with what it is signed with. It is called once.
	Open(ctx context.Context) state.PushOpened
	// Keep stores which webhook delivers there, and what it signs with unless that is
	// empty.
	Keep(ctx context.Context, webhook api.WebhookID, secret api.SigningSecret) error
}

var errNoPush = errors.New("no address for webhooks")

// receive runs what concerns the address of webhooks; nil for anything else.
func (e *Engine) receive(ctx context.Context, effect kernel.Effect, m *kernel.Meta) kernel.Event {
	switch effect := effect.(type) {
	case state.OpenPush:
		ev := state.PushOpened{Err: errNoPush}
		if e.cfg.Push != nil {
			ev = e.cfg.Push.Open(ctx)
		}
		e.finish(m)
		ev.Meta = *m
		return ev
	case state.KeepPush:
		err := errNoPush
		if e.cfg.Push != nil {
			err = e.cfg.Push.Keep(ctx, effect.Webhook, effect.Secret)
		}
		e.finish(m)
		return state.PushKept{Meta: *m, Err: err}
	default:
		return nil
	}
}

// errNoFile is why settings are not saved.
var errNoFile = errors.New("not saved: there is no configuration file")

// local runs what needs only this machine; nil for what needs the API.
func (e *Engine) local(effect kernel.Effect, m *kernel.Meta) kernel.Event {
	switch effect := effect.(type) {
	case state.Forget, state.NoteRequest:
		return e.settle(effect, m)
	case state.ShareUse:
		err := e.share(0)
		e.finish(m)
		return state.UseShared{Meta: *m, Err: err}
	case kernel.FindRecording, secrets.FindManagers:
		return e.look(effect, m)
	case commands.Execute:
		return e.execute(effect, m)
	case state.SetDryRun:
		e.mu.Lock()
		e.dry = effect.On
		e.mu.Unlock()
		e.finish(m)
		return state.DryRunSet{Meta: *m, On: effect.On}
	case state.SavePlan, state.DropPlan, state.FindPlans:
		return e.keep(effect, m)
	case state.FetchIssueFile:
		return e.sheet(effect, m)
	case state.LockRule, state.UnlockRule:
		return e.hold(effect, m)
	case state.RecallCards:
		return e.recall(m)
	case views.Save:
		var err error
		if v := e.cfg.Views; v != nil {
			err = v.Keep(effect.Seq, effect.Views)
		}
		e.finish(m)
		return views.Saved{Meta: *m, Err: err}
	case alerts.Save:
		return e.saveSettings(effect, m)
	case insight.LoadDays, insight.SaveDays:
		return e.days(effect, m)
	case wallets.FetchPins, wallets.SavePins:
		return e.pins(effect, m)
	case state.AdoptOperations:
		return e.adopt(m)
	case state.FetchHistory:
		var records []state.Record
		var err error
		if h := e.cfg.History; h != nil {
			records, err = h.Load(state.HistoryShown)
		}
		e.finish(m)
		return state.HistoryLoaded{Meta: *m, Records: records, Err: err}
	case state.SaveRows:
		return e.save(effect, m)
	default:
		return nil
	}
}

func (e *Engine) saveSettings(effect alerts.Save, m *kernel.Meta) kernel.Event {
	err := errNoFile
	if e.cfg.SaveSettings != nil {
		err = e.cfg.SaveSettings(effect.Settings)
	}
	e.finish(m)
	return alerts.Saved{Meta: *m, Err: err}
}

// look finds what may see the screen or the clipboard: recordings and clipboard
// managers.
func (e *Engine) look(effect kernel.Effect, m *kernel.Meta) kernel.Event {
	if _, ok := effect.(kernel.FindRecording); ok {
		by := ""
		if e.cfg.Recording != nil {
			by = e.cfg.Recording()
		}
		e.finish(m)
		return kernel.RecordingFound{Meta: *m, By: by}
	}
	var names []api.Text
	if e.cfg.Managers != nil {
		for _, name := range e.cfg.Managers() {
			names = append(names, api.Clean(name))
		}
	}
	e.finish(m)
	return secrets.ManagersFound{Meta: *m, Names: names}
}

// recall reads more of the cards of an earlier run. What cannot be read is
// skipped: the API has it.
func (e *Engine) recall(m *kernel.Meta) kernel.Event {
	ev := state.CardsRecalled{}
	if e.cfg.Recall != nil {
		ev.Cards, ev.More = e.cfg.Recall()
	}
	e.finish(m)
	ev.Meta = *m
	return ev
}

// Days keeps days of the sums of spending.
type Days interface {
	// Next returns more of the days that earlier runs kept, and whether others
	// follow.
	Next() (days []ledger.Closed, more bool)
	// Save stores days in place of what is stored of them.
	Save(days []ledger.Closed) error
}

// days reads and writes days of the sums of spending.
func (e *Engine) days(effect kernel.Effect, m *kernel.Meta) kernel.Event {
	if save, ok := effect.(insight.SaveDays); ok {
		ev := insight.DaysSaved{Versions: save.Versions}
		if e.cfg.Days != nil {
			ev.Err = e.cfg.Days.Save(save.Days)
		}
		e.finish(m)
		ev.Meta = *m
		return ev
	}
	ev := insight.DaysLoaded{}
	if e.cfg.Days != nil {
		ev.Days, ev.More = e.cfg.Days.Next()
	}
	e.finish(m)
	ev.Meta = *m
	return ev
}

// Exports writes rows for other programs.
type Exports interface {
	// Save writes them to a new file and returns its path.
	Save(rows rows.Rows, f rows.Format) (path string, err error)
	// Text returns them as text.
	Text(rows rows.Rows, f rows.Format) (string, error)
}

var errNoExports = errors.New("nothing can be written here")

func (e *Engine) save(effect state.SaveRows, m *kernel.Meta) kernel.Event {
	ev := state.RowsSaved{SaveRows: effect, Err: errNoExports}
	if x := e.cfg.Exports; x != nil && effect.Copy {
		ev.Text, ev.Err = x.Text(effect.Rows, effect.Format)
	} else if x != nil {
		ev.Path, ev.Err = x.Save(effect.Rows, effect.Format)
	}
	e.finish(m)
	ev.Meta = *m
	return ev
}

// settle records what became of a request, or of an operation that no answer ended.
func (e *Engine) settle(effect kernel.Effect, m *kernel.Meta) kernel.Event {
	if f, ok := effect.(state.Forget); ok {
		return e.forget(f, m)
	}
	ev := state.OpForgotten{}
	if note, ok := effect.(state.NoteRequest); ok {
		ev.Record, ev.Lost = e.remember(note.Record)
	}
	e.finish(m)
	ev.Meta = *m
	return ev
}

// forget dismisses an operation that no answer settled. The history has it first,
// with the reason: without it nothing would say that the key was used.
func (e *Engine) forget(f state.Forget, m *kernel.Meta) kernel.Event {
	r := recordOf(f.Op)
	if r.Outcome = f.Status; f.Status == "" {
		r.Outcome = state.OpStatusDismissed
	}
	r.Err = f.Why
	told, lost := e.remember(r)
	var err error
	if lost != "" {
		err = errors.New(lost)
	} else {
		err = e.cfg.Journal.Dismiss(f.Op, r.Outcome)
	}
	e.finish(m)
	return state.OpForgotten{Meta: *m, Err: err, Record: told, Lost: lost}
}

// adopt takes over what ended processes left, and sums what all moved where
// guardrails need it.
func (e *Engine) adopt(m *kernel.Meta) kernel.Event {
	ops, err := e.cfg.Journal.Adopt()
	var damaged state.DamageError
	if errors.As(err, &damaged) {
		err = nil // The rest was taken over.
	}
	ev := state.OperationsAdopted{Ops: ops, Damaged: damaged, Err: err}
	if err == nil && e.guardrails().Sums() {
		ev.Err = e.withPast(m.Sent, func(records []state.Record, open []state.Op) error {
			ev.Moved = state.MovedBy(records, open)
			return nil
		})
	}
	if ev.Err == nil {
		ev.Planned, ev.Err = e.plans().Elsewhere()
	}
	e.finish(m)
	ev.Meta = *m
	return ev
}

// errNoCommands is the error of user commands in a program that runs none.
var errNoCommands = errors.New("this program runs no commands")

// execute runs a user command. Its output is from outside.
func (e *Engine) execute(x commands.Execute, m *kernel.Meta) kernel.Event {
	ev, err := commands.Done{Name: x.Name}, errNoCommands
	if e.cfg.Execute != nil {
		var out string
		out, err = e.cfg.Execute(x)
		ev.Output = api.Clean(out)
	}
	if err != nil {
		ev.Failed = api.Clean(err.Error())
	}
	e.finish(m)
	ev.Meta = *m
	return ev
}
