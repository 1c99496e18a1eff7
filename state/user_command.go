package state

import (
	"maps"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
)

// CommandsTable holds which of the user's own commands are running.
type CommandsTable struct {
	*kernel.Core
	privacy *kernel.Privacy
	notices *kernel.Notices
	running map[string]bool // by name
}

// RunCommand asks to run a user command on what is under the
// cursor. It runs once, however many cards are chosen: it reads them.
type RunCommand struct {
	Name        string
	Card        api.CardID
	Transaction api.TransactionID
	Chosen      []api.CardID
	// Line is the one that was confirmed; empty when nothing was.
	Line string
}

func (in RunCommand) Start(s *Store) (kernel.Topic, []kernel.Effect) {
	return 0, []kernel.Effect{s.startCommand(in)}
}

// Execute runs a user command. Vars fill its line in, Input is
// what it reads, a line for each.
type Execute struct {
	Name, Line string
	Vars       CommandVars
	Input      []CommandVars
}

// Label is what the user waits for.
func (x Execute) Label(bool) string { return "running " + x.Name }

// CommandDone is the result of a command: the first line that it printed, or
// why it failed.
type CommandDone struct {
	kernel.Meta
	Name           string
	Output, Failed api.Text
}

func (ev CommandDone) Apply(s *Store) (kernel.Topic, []kernel.Effect) {
	return s.Commands.commandDone(ev), nil
}

func (Execute) Effect() {}

// CommandVars are a command's variables: of a card, of a transaction, or of neither.
// There is no room in them for a number, a CVV, a code or a key.
type CommandVars struct {
	Where   settings.Where
	Profile string
	// The card, that of the transaction as well. Expiry is a date, zero when it
	// is not known.
	Card         api.CardID
	Label, Last4 api.Text
	Status       api.CardStatus
	BIN          api.BINID
	Balance      api.USD
	Expiry       time.Time
	// The transaction.
	Transaction api.TransactionID
	Type        api.TransactionType
	Merchant    api.Text
	Amount      api.Units
	Currency    api.Text
	Time        time.Time
}

// CommandVar is one of them by its name, as a line has it in braces and its input as
// a member of an object. An empty text is not known.
type CommandVar struct {
	Name, Text string
	Number     bool
}

// List returns those that there are where the command runs. Amounts are USD,
// times UTC.
func (f CommandVars) List() []CommandVar {
	profile := CommandVar{Name: "profile", Text: f.Profile}
	last4, label := CommandVar{Name: "last4", Text: string(f.Last4)}, CommandVar{Name: "label", Text: string(f.Label)}
	switch f.Where {
	case settings.OnCard:
		return []CommandVar{
			{Name: "id", Text: string(f.Card)},
			last4, label,
			{Name: "status", Text: string(f.Status)},
			{Name: "balance", Text: f.Balance.String(), Number: true},
			{Name: "bin", Text: string(f.BIN)},
			{Name: "expiry", Text: dated(f.Expiry, time.DateOnly)},
			profile,
		}
	case settings.OnTransaction:
		return []CommandVar{
			{Name: "id", Text: string(f.Transaction)},
			{Name: "card_id", Text: string(f.Card)},
			last4, label,
			{Name: "merchant", Text: string(f.Merchant)},
			{Name: "amount", Text: f.Amount.String(), Number: true},
			{Name: "currency", Text: string(f.Currency)},
			{Name: "type", Text: string(f.Type)},
			{Name: "time", Text: dated(f.Time, time.RFC3339)},
			profile,
		}
	default:
		return []CommandVar{profile}
	}
}

func dated(t time.Time, layout string) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(layout)
}

// ByName finds a user command.
func (co *CommandsTable) ByName(name string) (settings.Command, bool) {
	i := slices.IndexFunc(co.Cfg.Commands, func(c settings.Command) bool { return c.Name == name })
	if i < 0 {
		return settings.Command{}, false
	}
	return co.Cfg.Commands[i], true
}

// Running names the commands that are not over.
func (co *CommandsTable) Running() []string { return slices.Sorted(maps.Keys(co.running)) }

// Busy reports whether leaving now would leave something open or cut it off.
func (s *Store) Busy() bool {
	return s.Ops.PendingCount() > 0 || s.Bulk.Unfinished()+s.Bulk.Later() > 0 || len(s.Commands.running) > 0
}

// Check checks a command by what is under the cursor, and by what it may
// do.
func (in RunCommand) Check(s *Store) kernel.Verdict {
	c, ok := s.Commands.ByName(in.Name)
	_, found := s.varsOf(c.Where, in.Card, in.Transaction)
	switch {
	case !ok:
		return kernel.Verdict{Reason: s.Lang.Tf("there is no command %s any more", in.Name)}
	case s.Cfg.ReadOnly && !c.Reads:
		return kernel.Verdict{Reason: s.Lang.Tf("read-only: %s may write; reads = true says that it does not", in.Name)}
	case s.Ops.dry && !c.Reads:
		return kernel.Verdict{Reason: s.Lang.Tf("dry run: %s may write; reads = true says that it does not", in.Name)}
	case !found && c.Where == settings.OnCard:
		return kernel.Verdict{Reason: s.Lang.T("no card is selected")}
	case !found:
		return kernel.Verdict{Reason: s.Lang.T("no transaction is under the cursor")}
	case in.Line != "" && in.Line != c.Line:
		return kernel.Verdict{Reason: s.Lang.Tf("%s has changed since: ask for it again", in.Name)}
	case s.Commands.running[in.Name]:
		return kernel.Verdict{Reason: s.Lang.Tf("%s is still running", in.Name)}
	}
	return kernel.Verdict{Danger: kernel.Reversible}
}

// varsOf returns a command's variables; false when it is not known.
func (s *Store) varsOf(w settings.Where, id api.CardID, txn api.TransactionID) (f CommandVars, ok bool) {
	f = CommandVars{Where: w, Profile: s.Cfg.Profile}
	if w == settings.OnTransaction {
		t, known := s.Txns.Get(txn)
		if !known {
			return f, false
		}
		f.Transaction, f.Type, f.Merchant, f.Amount, f.Currency, f.Time = t.ID, t.Type, t.Merchant.Name, t.Sent(), t.CurrencyCode(), t.CreatedAt
		id, ok = t.CardID, true
	}
	if w == settings.Anywhere {
		return f, true
	}
	f.Card = id
	if c, known := s.Cards.Get(id); known {
		f.Label, f.Last4, f.Status, f.BIN, f.Balance = c.Label, c.Last4, c.Status, c.BIN, c.Balance
		ok = true
	}
	if m, _, known := s.Info.Summary(id); known {
		f.Expiry = m.ExpiresAt
	}
	return f, ok
}

// startCommand begins a command. Cards that left the list since they were
// chosen are left out.
func (s *Store) startCommand(in RunCommand) kernel.Effect {
	c, _ := s.Commands.ByName(in.Name)
	vars, _ := s.varsOf(c.Where, in.Card, in.Transaction)
	input := []CommandVars{vars}
	if c.Where == settings.OnCard && len(in.Chosen) > 0 {
		input = input[:0]
		for _, id := range in.Chosen {
			if f, ok := s.varsOf(c.Where, id, ""); ok {
				input = append(input, f)
			}
		}
	}
	if s.Commands.running == nil {
		s.Commands.running = make(map[string]bool)
	}
	s.Commands.running[c.Name] = true
	s.Notices.Say(kernel.Info, s.Lang.Tf("%s is running", c.Name))
	return Execute{Name: c.Name, Line: c.Line, Vars: vars, Input: input}
}

// commandDone shows the result of a command. What it printed is not known to
// hide what the screen hides.
func (co *CommandsTable) commandDone(ev CommandDone) kernel.Topic {
	delete(co.running, ev.Name)
	level, text := kernel.Good, co.Lang.T("done")
	if ev.Output != "" && !co.privacy.Private() {
		text = string(ev.Output)
	}
	if ev.Failed != "" {
		level, text = kernel.Bad, co.Lang.T("failed")
		if !co.privacy.Private() {
			text = string(ev.Failed)
		}
	}
	co.notices.SayResult(level, ev.Name+": "+text)
	return kernel.TopicNotice
}
