package mcp

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/app"
)

const aboutCard = "id, last four digits or label of the card; it is an error when several could be meant"

// aboutFilter describes the language of filters.
const aboutFilter = `terms that all have to hold: words that are looked for anywhere, ` +
	`and fields with an operator, such as `

// last4Arg is what a termination has to name besides the card.
const last4Arg = "last4"

// reads are the tools that change nothing. arg is the argument of the command, flags are
// those that a tool takes.
func reads() []struct{ command, arg, aboutArg, flags, about string } {
	return []struct{ command, arg, aboutArg, flags, about string }{
		{"cards list", "filter", aboutFilter + "status=active bal<20 label~fb last<2h !2039", "status bin label sort order limit", "balance is USD."},
		{"cards show", "card", aboutCard, "", "Balance, limit and total are USD."},
		{"transactions list", "filter", aboutFilter + "amt>100 type=declined merchant~acme age<2h", "type card merchant from to min-amount max-amount labels limit", "amount has a sign: spending is negative."},
		{"transactions show", "id", "id of the transaction", "", "With the steps of its authorization and why it was declined, where the API says."},
		{"report", "", "", "since by alone", "Spent, held and declined, added up; the row whose by is total is for all. It reads every transaction since then, 100 with a request: ask for 24h first. Amounts are USD, decline_rate and change are percent."},
		{"wallet", "", "", "", "Amounts are USD."},
		{"deposits list", "", "", "status currency", "Deposits of crypto currencies to the wallet."},
		{"bins list", "", "", "", "BINs that cards can be issued from, with their limits in USD."},
		{"codes list", "", "", "status card", "3DS challenges without their codes: the user reads those in cardtop."},
		{"webhooks list", "", "", "", "Where the service sends its events."},
		{"operations list", "", "", "", "Writes of unknown outcome, of this and other programs on this machine. operations_settle settles one."},
		{"plans list", "", "", "", "Interrupted plans for many cards; the user resumes them."},
		{"history", "", "", "since card action outcome text", "Writes of this machine and what became of them, the latest last. via says who asked: mcp is this server, cli a command, empty the dashboard."},
	}
}

// write is a tool that changes something.
type write struct {
	command, arg, aboutArg, flags, required, about string
	money, ends                                    bool
}

const aboutKey = " Repeat a call that failed or was cancelled with the same idempotency_key: it acts once."

func writes() []write {
	return []write{
		{"cards freeze", "card", aboutCard, "idempotency-key dry-run", "", "Suspends its transactions; unfreezing allows them again." + aboutKey, false, false},
		{"cards unfreeze", "card", aboutCard, "idempotency-key dry-run", "", "Allows its transactions again." + aboutKey, false, false},
		{"cards fund", "card", aboutCard, "amount idempotency-key dry-run", "amount idempotency-key", "Moves money from the wallet to the card." + aboutKey, true, false},
		{"cards withdraw", "card", aboutCard, "amount idempotency-key dry-run", "amount idempotency-key", "Moves money from the card to the wallet." + aboutKey, true, false},
		{"cards create", "", "", "bin amount label spending-limit auto-freeze-at category metadata idempotency-key dry-run", "bin amount idempotency-key", "The card is funded from the wallet. bins_list has the BINs." + aboutKey, true, false},
		{"cards edit", "card", aboutCard, "label spending-limit auto-freeze-at category metadata idempotency-key dry-run", "", "Changes what is given and leaves the rest." + aboutKey, false, false},
		{"cards terminate", "card", aboutCard, "idempotency-key dry-run", "", "This cannot be undone. What the card holds goes back to the wallet." + aboutKey, false, true},
		{"operations settle", "key", "idempotency key of the operation", "", "", "While it is young its request is sent again under the same key, which acts once; later only the user can say what became of it, in cardtop.", false, false},
	}
}

// verbOf is what --allow calls a write: the last word of its command.
func verbOf(command string) string { return command[strings.LastIndexByte(command, ' ')+1:] }

// verbs are what can be allowed.
func verbs() []string {
	var out []string
	for _, w := range writes() {
		out = append(out, verbOf(w.command))
	}
	return out
}

// toolsOf are the commands of a program as tools.
func toolsOf(root *cobra.Command, fields func(command string) []Field) ([]tool, error) {
	var all []tool
	for _, r := range reads() {
		t := tool{command: r.command, about: r.about, latestLast: r.command == "history"}
		t.list = strings.HasSuffix(r.command, "list") || r.command == "report" || t.latestLast
		if err := t.take(root, r.arg, r.aboutArg, r.flags, fields); err != nil {
			return nil, err
		}
		if t.list && !t.has(limitArg) {
			t.args = append(t.args, arg{name: limitArg, kind: "integer"})
		}
		if t.list {
			t.args = append(t.args, arg{name: skipArg, kind: "integer", about: "so many rows are left out before the first: those of the pages before"})
		}
		for i := range t.args {
			if a := &t.args[i]; a.name == limitArg {
				a.about = "at most so many rows; 100 without it"
			}
		}
		all = append(all, t)
	}
	for _, w := range writes() {
		t := tool{command: w.command, about: w.about, verb: verbOf(w.command), money: w.money, ends: w.ends}
		if err := t.take(root, w.arg, w.aboutArg, w.flags, fields); err != nil {
			return nil, err
		}
		if t.ends {
			t.args = append(t.args, arg{name: last4Arg, kind: "string", about: "last four digits of the card, as the user said them", required: true})
		}
		for i := range t.args {
			a := &t.args[i]
			a.required = a.required || a.flag != "" && strings.Contains(" "+w.required+" ", " "+a.flag+" ")
		}
		all = append(all, t)
	}
	return all, nil
}

// take reads from its command what a tool is called and takes.
func (t *tool) take(root *cobra.Command, argument, aboutArg, flags string, fields func(string) []Field) error {
	cmd, err := find(root, t.command)
	if err != nil {
		return err
	}
	t.name, t.title, t.fields = strings.ReplaceAll(t.command, " ", "_"), cmd.Short, fields(t.command)
	if argument != "" {
		t.args = append(t.args, arg{name: argument, about: aboutArg, kind: "string", required: argument != "filter"})
	}
	for name := range strings.FieldsSeq(flags) {
		t.args = append(t.args, flagArg(cmd.Flags().Lookup(name)))
	}
	if t.list {
		t.args = append(t.args, flagArg(cmd.Flags().Lookup("fields")))
	}
	return nil
}

func (t *tool) has(name string) bool {
	for i := range t.args {
		if t.args[i].name == name {
			return true
		}
	}
	return false
}

// allowance is what the user lets an assistant do, and what of it is left.
type allowance struct {
	verbs []string
	call  api.USD // At most in one call.

	mu   sync.Mutex
	left api.USD            // Of what may move while the program runs.
	held map[string]api.USD // What was taken off it, by idempotency key.
}

// allows reports whether a verb may be used; reading always may.
func (a *allowance) allows(verb string) bool { return verb == "" || slices.Contains(a.verbs, verb) }

// check refuses a verb.
func (a *allowance) check(name, verb string) error {
	if a.allows(verb) {
		return nil
	}
	return app.Usage(fmt.Errorf("%s is not allowed: the user can start cardtop mcp with --allow %s", name, strings.Join(append(slices.Clone(a.verbs), verb), ",")))
}

// charge takes off what is left what an answer says has moved beyond what was reserved.
func (a *allowance) charge(more api.USD) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.left -= max(0, more)
}

// reserve takes an amount off what is left before it moves, unless a call with the key
// has done so: both move it once. It returns what gives it back if it did not move.
func (a *allowance) reserve(key string, amount api.USD) (release func(), err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case amount <= 0:
		return nil, app.Usage(errors.New("amount 0 moves nothing: give more than 0"))
	case amount > a.call:
		return nil, fmt.Errorf("it would move $%s, and --max-amount allows $%s in a call", amount.Grouped(), a.call.Grouped())
	case a.held[key] == amount:
		return func() {}, nil
	case amount > a.left:
		return nil, fmt.Errorf("it would move $%s, and $%s is left of what --max-total allows until cardtop mcp is started anew", amount.Grouped(), a.left.Grouped())
	}
	a.left -= amount
	a.held[key] += amount
	return func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.left += amount
		a.held[key] -= amount
	}, nil
}
