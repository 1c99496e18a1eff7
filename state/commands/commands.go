// Package commands has the commands that the user configured: what they are about, and which run.
package commands

import (
	"maps"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
)

// Needs is what commands use of others.
type Needs struct {
	Privacy *kernel.Privacy
	Notices *kernel.Notices
	Card    func(api.CardID) (cardlist.Card, bool)
	// Expiry is the end of the day that a card expires on; zero where it is not known.
	Expiry      func(api.CardID) time.Time
	Transaction func(api.TransactionID) (api.Transaction, bool)
	// DryRun reports whether writes are shown and not sent.
	DryRun func() bool
}

// Table has which of the user's own commands are running.
type Table struct {
	*kernel.Core
	needs   Needs
	running map[string]bool // by name
}

// New returns a table without running commands.
func New(c *kernel.Core, n Needs) *Table {
	return &Table{Core: c, needs: n, running: make(map[string]bool)}
}

// Run asks to run a user command on what is under the
// cursor. It runs once, however many cards are chosen: it reads them.
type Run struct {
	Name        string
	Card        api.CardID
	Transaction api.TransactionID
	Chosen      []api.CardID
	// Line is the one that was confirmed; empty when nothing was.
	Line string
}

func (in Run) Start(co *Table) (kernel.Topic, []kernel.Effect) {
	return 0, []kernel.Effect{co.start(in)}
}

// Execute runs a user command. Vars fill its line in, Input is
// what it reads, a line for each.
type Execute struct {
	Name, Line string
	Vars       Vars
	Input      []Vars
}

// Label is what the user waits for.
func (x Execute) Label(bool) string { return "running " + x.Name }

// Done is the result of a command: the first line that it printed, or
// why it failed.
type Done struct {
	kernel.Meta
	Name           string
	Output, Failed api.Text
}

func (ev Done) Apply(co *Table) (kernel.Topic, []kernel.Effect) {
	return co.done(ev), nil
}

func (Execute) Effect() {}

// Vars are a command's variables: of a card, of a transaction, or of neither.
// There is no room in them for a number, a CVV, a code or a key.
type Vars struct {
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

// Var is one of them by its name, as a line has it in braces and its input as
// a member of an object. An empty text is not known.
type Var struct {
	Name, Text string
	Number     bool
}

// List returns those that there are where the command runs. Amounts are USD,
// times UTC.
func (f Vars) List() []Var {
	profile := Var{Name: "profile", Text: f.Profile}
	last4, label := Var{Name: "last4", Text: string(f.Last4)}, Var{Name: "label", Text: string(f.Label)}
	switch f.Where {
	case settings.OnCard:
		return []Var{
			{Name: "id", Text: string(f.Card)},
			last4, label,
			{Name: "status", Text: string(f.Status)},
			{Name: "balance", Text: f.Balance.String(), Number: true},
			{Name: "bin", Text: string(f.BIN)},
			{Name: "expiry", Text: dated(f.Expiry, time.DateOnly)},
			profile,
		}
	case settings.OnTransaction:
		return []Var{
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
		return []Var{profile}
	}
}

func dated(t time.Time, layout string) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(layout)
}

// ByName finds a user command.
func (co *Table) ByName(name string) (settings.Command, bool) {
	i := slices.IndexFunc(co.Cfg.Commands, func(c settings.Command) bool { return c.Name == name })
	if i < 0 {
		return settings.Command{}, false
	}
	return co.Cfg.Commands[i], true
}

// Running names the commands that are not over.
func (co *Table) Running() []string { return slices.Sorted(maps.Keys(co.running)) }

// Check checks a command by what is under the cursor, and by what it may
// do.
func (in Run) Check(co *Table) kernel.Verdict {
	c, ok := co.ByName(in.Name)
	_, found := co.varsOf(c.Where, in.Card, in.Transaction)
	switch {
	case !ok:
		return kernel.Verdict{Reason: co.Lang.Tf("there is no command %s any more", in.Name)}
	case co.Cfg.ReadOnly && !c.Reads:
		return kernel.Verdict{Reason: co.Lang.Tf("read-only: %s may write; reads = true says that it does not", in.Name)}
	case co.needs.DryRun() && !c.Reads:
		return kernel.Verdict{Reason: co.Lang.Tf("dry run: %s may write; reads = true says that it does not", in.Name)}
	case !found && c.Where == settings.OnCard:
		return kernel.Verdict{Reason: co.Lang.T("no card is selected")}
	case !found:
		return kernel.Verdict{Reason: co.Lang.T("no transaction is under the cursor")}
	case in.Line != "" && in.Line != c.Line:
		return kernel.Verdict{Reason: co.Lang.Tf("%s has changed since: ask for it again", in.Name)}
	case co.running[in.Name]:
		return kernel.Verdict{Reason: co.Lang.Tf("%s is still running", in.Name)}
	}
	return kernel.Verdict{Danger: kernel.Reversible}
}

// varsOf returns a command's variables; false when it is not known.
func (co *Table) varsOf(w settings.Where, id api.CardID, txn api.TransactionID) (f Vars, ok bool) {
	f = Vars{Where: w, Profile: co.Cfg.Profile}
	if w == settings.OnTransaction {
		t, known := co.needs.Transaction(txn)
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
	if c, known := co.needs.Card(id); known {
		f.Label, f.Last4, f.Status, f.BIN, f.Balance = c.Label, c.Last4, c.Status, c.BIN, c.Balance
		ok = true
	}
	f.Expiry = co.needs.Expiry(id)
	return f, ok
}

// start begins a command. Cards that left the list since they were
// chosen are left out.
func (co *Table) start(in Run) kernel.Effect {
	c, _ := co.ByName(in.Name)
	vars, _ := co.varsOf(c.Where, in.Card, in.Transaction)
	input := []Vars{vars}
	if c.Where == settings.OnCard && len(in.Chosen) > 0 {
		input = input[:0]
		for _, id := range in.Chosen {
			if f, ok := co.varsOf(c.Where, id, ""); ok {
				input = append(input, f)
			}
		}
	}
	co.running[c.Name] = true
	co.needs.Notices.Say(kernel.Info, co.Lang.Tf("%s is running", c.Name))
	return Execute{Name: c.Name, Line: c.Line, Vars: vars, Input: input}
}

// done shows the result of a command. What it printed is not known to
// hide what the screen hides.
func (co *Table) done(ev Done) kernel.Topic {
	delete(co.running, ev.Name)
	level, text := kernel.Good, co.Lang.T("done")
	if ev.Output != "" && !co.needs.Privacy.Private() {
		text = string(ev.Output)
	}
	if ev.Failed != "" {
		level, text = kernel.Bad, co.Lang.T("failed")
		if !co.needs.Privacy.Private() {
			text = string(ev.Failed)
		}
	}
	co.needs.Notices.SayResult(level, ev.Name+": "+text)
	return kernel.TopicNotice
}
