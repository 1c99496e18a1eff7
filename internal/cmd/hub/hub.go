// Package hub is the commands of a hub: serve a team with one key, its people, its
// audit.
package hub

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/hub/team"
	"github.com/cardtop/cardtop/internal/storage/history"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/rows"
)

const help = `Serve the card API to a team. The hub holds the key; each person has a token of their own, which
works wherever a key does: in the dashboard, in scripts, with curl. What a person may not see is in
no answer. docs/HUB.md says what the roles may do.

Beyond loopback it speaks TLS, with your certificate or one that it makes at its first start; its
fingerprint is printed and goes into the profiles of the team.

With --ssh people open the dashboard with ssh -p PORT HOST, without installing anything, by the
public keys that "hub add --ssh-key" and "hub keys add" gave them. ssh HOST otp prints a code.

With --act NAME the rule of that name in the configuration acts without asking, as long as the hub
runs: see [[rules]]. Of several hubs the one that leads acts; give the flag to all. The caps of a
rule count what all of them did in 24 hours.

Exit codes: 0 done, 1 failed, 2 usage, 4 key refused, 130 interrupted.`

// Program is what the commands of a hub run in.
type Program struct {
	cli.Program
	// OTP runs the command otp for somebody who is connected over SSH, with its arguments.
	OTP func(ctx context.Context, p cli.Program, eng *engine.Engine, args []string) error
}

// Command returns the command and those below it.
func Command(p Program) *cobra.Command {
	var flags config.Flags
	var o options
	cmd := &cobra.Command{
		Use: "hub", Short: "Serve a team with one key: people, scopes, approvals, audit", Long: help,
		Example: `  cardtop hub add ann --role buyer --labels 'fb/*' --cap 500
  cardtop hub --listen 0.0.0.0:8790
  cardtop hub --ssh 0.0.0.0:2222
  cardtop hub --act topup
  cardtop hub --demo`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.demo {
				flags.Sandbox = true
			}
			return serve(cmd.Context(), p, flags, o)
		},
	}
	f := cmd.Flags()
	cli.AccountFlags(f, &flags)
	f.StringVar(&o.listen, "listen", "127.0.0.1:8790", "`ADDRESS` to listen on")
	f.StringVar(&o.socket, "socket", "", "listen on a unix socket at this `PATH` instead")
	f.StringVar(&o.cert, "tls-cert", "", "PEM `FILE` of your own certificate")
	f.StringVar(&o.key, "tls-key", "", "PEM `FILE` of its key")
	o.several.flags(f)
	f.StringVar(&o.ssh, "ssh", "", "also serve the dashboard over SSH at this `ADDRESS`, to people with a key")
	f.StringSliceVar(&o.act, "act", nil, "let this `RULE` of the configuration act without asking; again for others")
	f.StringSliceVar(&o.suggest, "suggest", nil, "tell admins what this `RULE` would do; again for others")
	f.BoolVar(&o.demo, "demo", false, "serve an embedded sandbox to three people, whose tokens are printed")
	cmd.AddCommand(addCommand(p.Program), removeCommand(p.Program), listCommand(p.Program), keysCommand(p.Program), auditCommand(p.Program),
		approvalsCommand(p.Program), operationsCommand(p.Program), peopleCommand(p.Program), rulesCommand(p.Program), keyCommand(p.Program))
	return cmd
}

// place is where the files of a hub are, and the mode of its account.
type place struct {
	dir  string
	file team.File
	live bool
	// history opens the audit; nil for people of a hub that has none.
	history func() (*history.Log, error)
}

// noted adds to the audit what was done to the team at this machine. The hub may run
// meanwhile: who appends has the lock of the file and goes on from its last line. It is
// noted after it was done, so that an audit that cannot be written keeps nobody in.
func (at place) noted(action, about string) error {
	log, err := at.history()
	if err == nil {
		_, err = log.Add(state.Record{
			Action: action, Outcome: state.OpStatusDone, Err: about,
			By: state.Actor{Name: app.UserName(), Role: "host", From: "cli"},
		})
	}
	if err != nil {
		return fmt.Errorf("it is done, but not in the audit: %w", err)
	}
	return nil
}

// find returns the place of an account's hub. It needs the key, by which the modes are
// told apart.
func find(ctx context.Context, p cli.Program, flags config.Flags) (place, error) {
	paths, run, err := p.Resolve(flags)
	if err != nil {
		return place{}, err
	}
	if run.Sandbox {
		return place{}, app.Usage(errors.New("no account: set " + config.EnvAPIKey + " or a profile; cardtop hub --demo has people of its own"))
	}
	key, err := p.LoadKey(ctx, run, config.NewKeyStore().AtTerminal())
	if err != nil {
		return place{}, err
	}
	defer key.APIKey.Wipe()
	mode := run.Mode(key.APIKey)
	dir, err := p.FindFolder(ctx, paths, run, key)
	if err != nil {
		return place{}, err
	}
	if dir == "" {
		return place{}, errNoPlace
	}
	at := placeIn(dir, mode)
	at.history = func() (*history.Log, error) { return p.OpenHistory(dir, run, mode, "cli") }
	return at, nil
}

// errNoPlace is that nothing of the account is on disk: a hub has people there, and records of what they do.
var errNoPlace = errors.New("a hub needs a folder that can be written: set XDG_STATE_HOME")

// placeIn is the place of a hub in the folder of an account.
func placeIn(dir string, mode config.Mode) place {
	dir = filepath.Join(dir, "hub")
	return place{dir: dir, file: team.InDir(dir), live: mode == config.ModeLive}
}

// options are what the command line asks for.
type options struct {
	listen, socket, cert, key, ssh string
	demo                           bool
	act, suggest                   []string // rules
	several                        several
}

// removeStale removes a socket that a hub left which does not run any more. Anything else
// at the path stays.
func removeStale(ctx context.Context, path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Mode().Type() != os.ModeSocket:
		return fmt.Errorf("cannot listen on %s: it is there already, and is not a socket", path)
	}
	var d net.Dialer
	conn, err := d.DialContext(ctx, "unix", path)
	switch {
	case err == nil:
		_ = conn.Close()
		return fmt.Errorf("cannot listen on %s: another program listens there", path)
	case !errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Errorf("cannot listen on %s: %w", path, err)
	}
	return os.Remove(path)
}

// open listens. secure reports whether it has to be over TLS: everywhere but on this
// machine.
func (o options) open(ctx context.Context, listen func(context.Context, string) (net.Listener, error)) (l net.Listener, secure bool, err error) {
	if listen != nil {
		l, err = listen(ctx, o.listen)
		return l, false, err
	}
	var config net.ListenConfig
	if o.socket != "" {
		if err := removeStale(ctx, o.socket); err != nil {
			return nil, false, err
		}
		if l, err = config.Listen(ctx, "unix", o.socket); err != nil {
			return nil, false, err
		}
		return l, false, os.Chmod(o.socket, 0o600)
	}
	if l, err = config.Listen(ctx, "tcp", o.listen); err != nil {
		return nil, false, fmt.Errorf("cannot listen on %s: %w", o.listen, err)
	}
	addr, ok := l.Addr().(*net.TCPAddr)
	return l, o.cert != "" || !ok || !addr.IP.IsLoopback(), nil
}

// ApprovalFields are what is printed of a request for an approval.
func ApprovalFields() []rows.Field[api.HubApproval] {
	return []rows.Field[api.HubApproval]{
		{Name: "id", About: "request", Brief: true, Cell: func(a api.HubApproval) rows.Cell { return rows.Text(a.ID) }},
		{Name: "by", About: "who asks", Brief: true, Cell: func(a api.HubApproval) rows.Cell { return rows.Text(a.By) }},
		{Name: "operation", About: "fund or issue", Brief: true, Cell: func(a api.HubApproval) rows.Cell { return rows.Text(a.Operation) }},
		{Name: "card_id", About: "card", Cell: func(a api.HubApproval) rows.Cell { return rows.Text(a.Card) }},
		{Name: "label", About: "label of the card", Brief: true, Cell: func(a api.HubApproval) rows.Cell { return rows.Text(a.Label) }},
		{Name: "amount", About: "USD", Brief: true, Cell: func(a api.HubApproval) rows.Cell { return rows.Money(a.Amount) }},
		{Name: "card_status", About: "status of the card now", Brief: true, Cell: func(a api.HubApproval) rows.Cell { return rows.Text(a.CardStatus) }},
		{Name: "card_balance", About: "balance of the card now, USD", Brief: true, Cell: func(a api.HubApproval) rows.Cell { return money(a.CardBefore) }},
		{Name: "card_balance_after", About: "and after it", Cell: func(a api.HubApproval) rows.Cell { return money(a.CardAfter) }},
		{Name: "wallet_balance", About: "balance of the wallet now, USD", Cell: func(a api.HubApproval) rows.Cell { return money(a.WalletBefore) }},
		{Name: "wallet_balance_after", About: "and after it", Cell: func(a api.HubApproval) rows.Cell { return money(a.WalletAfter) }},
		{Name: "state", About: "waiting, approved, refused or expired", Brief: true, Cell: func(a api.HubApproval) rows.Cell { return rows.Text(a.State) }},
		{Name: "decided_by", About: "who decided", Brief: true, Cell: func(a api.HubApproval) rows.Cell { return rows.Text(a.DecidedBy) }},
		{Name: "at", About: "when it was asked for", Cell: func(a api.HubApproval) rows.Cell { return rows.Time(a.At) }},
		{Name: "until", About: "when it expires", Brief: true, Cell: func(a api.HubApproval) rows.Cell { return rows.Time(a.Until) }},
	}
}

// OperationFields are what is printed of an operation without an outcome.
func OperationFields() []rows.Field[api.HubOperation] {
	return []rows.Field[api.HubOperation]{
		{Name: "id", About: "operation", Brief: true, Cell: func(o api.HubOperation) rows.Cell { return rows.Text(o.ID) }},
		{Name: "by", About: "who asked for it", Brief: true, Cell: func(o api.HubOperation) rows.Cell { return rows.Text(o.By) }},
		{Name: "operation", About: "fund, withdraw, freeze, …", Brief: true, Cell: func(o api.HubOperation) rows.Cell { return rows.Text(state.VerbOf(string(o.Operation))) }},
		{Name: "card_id", About: "card", Cell: func(o api.HubOperation) rows.Cell { return rows.Text(o.Card) }},
		{Name: "label", About: "label of the card", Brief: true, Cell: func(o api.HubOperation) rows.Cell { return rows.Text(o.Label) }},
		{Name: "amount", About: "USD", Brief: true, Cell: func(o api.HubOperation) rows.Cell { return rows.Money(o.Amount) }},
		{Name: "state", About: "sending, asking or unsettled", Brief: true, Cell: func(o api.HubOperation) rows.Cell { return rows.Text(o.State) }},
		{Name: "card_balance", About: "balance of the card, read since, USD", Brief: true, Cell: func(o api.HubOperation) rows.Cell { return money(o.Balance) }},
		{Name: "card_balance_before", About: "balance before it, USD", Cell: func(o api.HubOperation) rows.Cell { return money(o.Before) }},
		{Name: "card_balance_after", About: "balance as it would leave it, USD", Cell: func(o api.HubOperation) rows.Cell { return money(o.After) }},
		{Name: "suggests", About: "done or not-done, by these balances", Brief: true, Cell: func(o api.HubOperation) rows.Cell { return rows.Text(o.Suggests) }},
		{Name: "at", About: "when it was begun", Cell: func(o api.HubOperation) rows.Cell { return rows.Time(o.At) }},
	}
}

// RuleFields are what is printed of a rule that a hub runs.
func RuleFields() []rows.Field[api.HubRule] {
	return []rows.Field[api.HubRule]{
		{Name: "name", About: "rule", Brief: true, Cell: func(r api.HubRule) rows.Cell { return rows.Text(r.Name) }},
		{Name: "mode", About: "off, suggest or act", Brief: true, Cell: func(r api.HubRule) rows.Cell { return rows.Text(r.Mode) }},
		{Name: "when", About: "which cards", Cell: func(r api.HubRule) rows.Cell { return rows.Text(r.When) }},
		{Name: "does", About: "what it does to them", Brief: true, Cell: func(r api.HubRule) rows.Cell { return rows.Text(r.Does) }},
		{Name: "matching", About: "cards that match", Brief: true, Cell: func(r api.HubRule) rows.Cell { return rows.Count(r.Matching) }},
		{Name: "would_act_on", About: "cards that it would act on now", Brief: true, Cell: func(r api.HubRule) rows.Cell { return rows.Count(r.Would) }},
		{Name: "amount", About: "with how much, USD", Cell: func(r api.HubRule) rows.Cell { return rows.Money(r.Amount) }},
		{Name: "moved_day", About: "moved in 24 hours, USD", Brief: true, Cell: func(r api.HubRule) rows.Cell { return rows.Money(r.Day) }},
		{Name: "actions_day", About: "cards that it acted on in 24 hours", Cell: func(r api.HubRule) rows.Cell { return rows.Count(r.Actions) }},
		{Name: "paused", About: "why it does nothing now", Brief: true, Cell: func(r api.HubRule) rows.Cell { return rows.Text(r.Paused) }},
		{Name: "last", About: "what it did last", Cell: func(r api.HubRule) rows.Cell { return rows.Text(r.Last) }},
		{Name: "last_at", About: "and when", Cell: func(r api.HubRule) rows.Cell { return optionalTime(r.LastAt) }},
	}
}

// PersonFields are what is printed of one of the team.
func PersonFields() []rows.Field[api.HubPerson] {
	return []rows.Field[api.HubPerson]{
		{Name: "name", About: "name", Brief: true, Cell: func(h api.HubPerson) rows.Cell { return rows.Text(h.Name) }},
		{Name: "role", About: "viewer, buyer, lead or admin", Brief: true, Cell: func(h api.HubPerson) rows.Cell { return rows.Text(h.Role) }},
		{Name: "here", About: "whether a dashboard is open", Brief: true, Cell: func(h api.HubPerson) rows.Cell { return rows.Flag(h.Here > 0) }},
		{Name: "last_seen", About: "last request since the hub was started", Brief: true, Cell: func(h api.HubPerson) rows.Cell { return optionalTime(h.Seen) }},
	}
}

func optionalTime(t *time.Time) rows.Cell {
	if t == nil {
		return rows.Time(time.Time{})
	}
	return rows.Time(*t)
}

func money(u *api.USD) rows.Cell {
	if u == nil {
		return rows.Cell{}
	}
	return rows.Money(*u)
}

func auditCommand(p cli.Program) *cobra.Command {
	var (
		flags  config.Flags
		verify bool
		by     string
	)
	cmd := &cobra.Command{
		Use: "audit", Short: "Print what people did over the hub, or verify that nothing of it was changed",
		Example: "  cardtop hub audit --by ann\n  cardtop hub audit --verify", Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			at, err := find(cmd.Context(), p, flags)
			if err != nil {
				return err
			}
			log, err := history.Open(history.Config{Dir: filepath.Dir(at.dir), Now: p.Now})
			if err != nil {
				return err
			}
			if verify {
				return verifyAudit(p, log)
			}
			records, err := log.Load(history.Everything)
			if err != nil {
				return err
			}
			slices.Reverse(records)
			return printAudit(p, slices.DeleteFunc(records, func(r state.Record) bool { return r.By.Name == "" || by != "" && r.By.Name != by }))
		},
	}
	cli.AccountFlags(cmd.Flags(), &flags)
	cmd.Flags().BoolVar(&verify, "verify", false, "follow the chain of hashes through all records")
	cmd.Flags().StringVar(&by, "by", "", "only what this `NAME` did")
	return cmd
}

func verifyAudit(p cli.Program, log *history.Log) error {
	r, err := log.Verify()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.Out, "intact; records %d, files %d, last hash %s\n", r.Lines, r.Parts, r.Head)
	return err
}

func printAudit(p cli.Program, records []state.Record) error {
	w := tabwriter.NewWriter(p.Out, 0, 0, 2, ' ', 0)
	if _, err := fmt.Fprintln(w, "TIME\tBY\tROLE\tFROM\tACTION\tCARD\tAMOUNT\tOUTCOME\tAPPROVED\tREQUEST\tNOTE"); err != nil {
		return err
	}
	for _, r := range records {
		amount := "-"
		if r.Amount != 0 {
			amount = "$" + r.Amount.Grouped()
		}
		if _, err := fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n",
			r.At.Format(time.RFC3339), r.By.Name, r.By.Role, r.By.From, r.Action, cardOf(r), amount, r.Outcome, r.By.Approved, r.RequestID, r.Err); err != nil {
			return err
		}
	}
	return w.Flush()
}

// cardOf names the card of a record. Older records of refused requests have its label, or
// its id alone.
func cardOf(r state.Record) string { return cmp.Or(r.Name, r.Label, string(r.Card)) }
