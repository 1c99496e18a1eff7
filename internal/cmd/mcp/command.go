// Package mcp serves the commands as tools to an assistant, over standard input and
// output, by the Model Context Protocol.
package mcp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/storage/history"
)

// Via marks in the history what an assistant did.
const Via = "mcp"

const help = `Serve the commands as tools to an assistant, over standard input and output (Model Context Protocol).

Without --allow the assistant can read: cards, transactions, reports, wallet, deposits, BINs, history. --allow names
what else it may do; money moves only up to --max-amount in a call and --max-total while the server runs, which is
--max-amount without it. The guardrails of the configuration hold as well, and nobody is asked.

No tool returns a card number, a CVV, a one-time code or a key. The history marks what an assistant did: via is mcp;
"cardtop history --calls" has every call.
docs/MCP.md has the lines for clients.`

// options are what the command line allows.
type options struct {
	account    config.Flags
	verbs      []string
	call, most cli.Amount
}

// Program is what the server runs commands of.
type Program struct {
	cli.Program
	// Run runs a command line of a program as main does, and returns its error.
	Run func(ctx context.Context, p cli.Program, args []string) error
	// Fields are what a command prints.
	Fields func(command string) []Field
}

// Command serves the tools.
func Command(p Program) *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use: "mcp", Short: "Serve the commands to an assistant (MCP)", Long: help,
		Example: `  cardtop mcp --profile team
  cardtop mcp --profile team --allow freeze,unfreeze
  cardtop mcp --profile team --allow fund --max-amount 50 --max-total 200`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			limit, err := o.allowance()
			if err != nil {
				return err
			}
			tools, err := toolsOf(cmd.Root(), p.Fields)
			if err != nil {
				return err
			}
			calls, err := p.open(cmd.Context(), &o)
			if err != nil {
				return err
			}
			in := cmd.InOrStdin()
			if cli.IsTerminal(in) {
				p.Say("serving tools to an assistant on standard input and output; ctrl+d ends it")
			}
			s := &server{
				tools: tools, limit: limit, record: calls.Add, now: p.Now,
				run: func(ctx context.Context, args []string, on *progress) (string, error) {
					return p.run(ctx, &o, args, on)
				},
			}
			c := newConn(p.Out, s.handle)
			s.notify = c.notify
			return c.serve(cmd.Context(), in)
		},
	}
	f := cmd.Flags()
	cli.AccountFlags(f, &o.account)
	f.StringSliceVar(&o.verbs, "allow", nil, "`VERBS` that the assistant may use, separated by commas: "+strings.Join(verbs(), ", "))
	f.Var(cli.AmountFlag{To: &o.call}, "max-amount", "what may move in one call, USD")
	f.Var(cli.AmountFlag{To: &o.most}, "max-total", "what may move in all while it runs, USD; --max-amount without it")
	return cmd
}

// allowance reads what is allowed.
func (o *options) allowance() (*allowance, error) {
	moves := false
	for _, v := range o.verbs {
		if !slices.Contains(verbs(), v) {
			return nil, app.Usage(cli.TakesNot("allow", cli.Word{Known: verbs()}.Takes(), v, cli.Word{Known: verbs()}))
		}
		moves = moves || slices.ContainsFunc(writes(), func(w write) bool { return w.money && verbOf(w.command) == v })
	}
	switch {
	case moves && !o.call.Set:
		return nil, app.Usage(errors.New("money moves only up to --max-amount"))
	case !moves && (o.call.Set || o.most.Set):
		return nil, app.Usage(errors.New("--max-amount and --max-total are for --allow fund, withdraw or create"))
	case o.most.Set && o.most.USD < o.call.USD:
		return nil, app.Usage(errors.New("--max-total is less than --max-amount"))
	case !o.most.Set:
		o.most = o.call
	}
	return &allowance{verbs: o.verbs, call: o.call.USD, left: o.most.USD, held: make(map[string]api.USD)}, nil
}

// open finds the account's key once, since a command that prints it may ask the user, whom
// nobody reaches later, and opens the history of the calls.
func (p *Program) open(ctx context.Context, o *options) (*history.Log, error) {
	paths, run, err := p.Resolve(o.account)
	if err != nil {
		return nil, err
	}
	if run.Sandbox {
		return nil, app.Usage(fmt.Errorf("no account: set %s or a profile; for a sandbox run cardtop sandbox", config.EnvAPIKey))
	}
	key, err := p.LoadKey(ctx, run, config.NewKeyStore())
	if err != nil {
		return nil, err
	}
	dir, err := p.FindFolder(ctx, paths, run, key)
	if err != nil {
		return nil, err
	}
	p.Env.Found = key.APIKey
	return p.OpenCalls(dir, run, run.Mode(key.APIKey), Via)
}

// run runs a command line on the account and returns what it printed. on is told how far it is.
func (p *Program) run(ctx context.Context, o *options, args []string, on *progress) (string, error) {
	var out bytes.Buffer
	own := p.Program
	own.Out, own.Errs, own.Via = &out, io.Discard, Via
	own.Answered, own.Waits = on.answered, on.waits
	var account []string
	for _, f := range []struct{ name, value string }{{"profile", o.account.Profile}, {"config", o.account.Config}, {"base-url", o.account.BaseURL}} {
		if f.value != "" {
			account = append(account, "--"+f.name+"="+f.value)
		}
	}
	if o.account.ReadOnly {
		account = append(account, "--read-only")
	}
	at := slices.Index(args, "--")
	err := p.Run(ctx, own, slices.Concat(args[:at], account, args[at:]))
	return out.String(), err
}
