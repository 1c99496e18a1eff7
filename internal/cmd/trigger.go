package cmd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
)

// control is one of the sandbox's control requests as a command.
type control struct {
	use, short string
	long       string // More help; empty for none.
	example    string // Its flags or argument.
	method     string
	// path may hold {id}: the argument of the command.
	path     string
	required []string          // JSON fields that are required.
	texts    map[string]string // JSON field: help of its flag
	nums     map[string]string
	bools    map[string]string
}

func controls() []control {
	const post = http.MethodPost
	card := "card: id, its beginning, or last four digits"
	return []control{
		{
			use: "challenge", short: "Create a 3DS challenge", method: post, path: "/sandbox/challenges",
			example: "challenge --card-id 2039 --merchant Acme --amount 25 --otp 482913",
			texts:   map[string]string{"card_id": card + "; any without it", "merchant": "merchant", "otp": "code to use"},
			nums:    map[string]string{"amount": "USD"},
		},
		{use: "challenge-complete ID", short: "Complete a challenge", method: post, path: "/sandbox/challenges/{id}/complete", example: "challenge-complete 3ds_000001q79ecza3cf"},
		{use: "challenge-expire ID", short: "Expire a challenge", method: post, path: "/sandbox/challenges/{id}/expire", example: "challenge-expire 3ds_000001q79ecza3cf"},
		{
			use: "card-expire CARD", short: "Have a card expire", method: post, path: "/sandbox/cards/{id}/expire",
			example: "card-expire 2039 --days 20", nums: map[string]string{"days": "in so many days; at once without it"},
		},
		{
			use: "transaction", short: "Create a transaction, by the rules of the card", long: transactionHelp, method: post, path: "/sandbox/transactions",
			example: "transaction --card-id 2039 --type authorization --amount 12.50 --merchant Acme",
			texts: map[string]string{
				"card_id": card, "type": "authorization, settlement, refund, decline or reversal", "merchant": "merchant",
				"category": "category", "mcc": "MCC", "country": "country code", "decline_reason": "cause of a decline, or none",
				"decline_text": "cause of a decline in free text only", "currency": "currency of the amount: USD, EUR, GBP, JPY or MXN",
			},
			nums:  map[string]string{"amount": "amount, USD unless --currency is set"},
			bools: map[string]string{"part": "a settlement leaves the rest of its hold held"},
		},
		{
			use: "deposit", short: "Create a deposit", method: post, path: "/sandbox/deposits",
			example:  "deposit --currency usdt --amount-usd 250",
			required: []string{"currency"},
			texts:    map[string]string{"currency": "btc, eth, sol or usdt", "status": "pending or confirmed"},
			nums:     map[string]string{"amount_usd": "USD"},
		},
		{use: "deposit-confirm ID", short: "Confirm a deposit", method: post, path: "/sandbox/deposits/{id}/confirm", example: "deposit-confirm dep_000001q79ecza3cf"},
		{use: "deposit-expire ID", short: "Expire a deposit", method: post, path: "/sandbox/deposits/{id}/expire", example: "deposit-expire dep_000001q79ecza3cf"},
		{use: "clock", short: "Advance the clock of the sandbox", method: post, path: "/sandbox/clock", example: "clock --advance-seconds 300", nums: map[string]string{"advance_seconds": "seconds"}},
		{
			use: "fault", short: "Inject a fault into the next requests", long: faultHelp(), method: post, path: "/sandbox/faults",
			example: "fault --route 'POST /cards/{card_id}/fund' --kind commit_then_timeout --times 1",
			texts:   map[string]string{"route": "such as 'GET /3ds', or * for all", "kind": "kind of fault"},
			nums:    map[string]string{"times": "number of requests", "probability": "0 to 1", "latency_ms": "milliseconds"},
		},
		{use: "no-faults", short: "Remove all faults", method: http.MethodDelete, path: "/sandbox/faults", example: "no-faults"},
		{use: "report", short: "Print the requests that the sandbox received", method: http.MethodGet, path: "/sandbox/report", example: "report"},
		{use: "spend", short: "Print the spending by campaign and day", method: http.MethodGet, path: "/sandbox/spend", example: "spend"},
	}
}

const transactionHelp = `Create a transaction, by the rules of the card. The answer may be a decline.

A settlement takes the place of the oldest open hold of the card at the merchant:

  a tip         --type settlement --amount, more than the hold
  in parts      --type settlement --part: the rest stays held
  late          trigger clock --advance-seconds 700000 first: a hold ends after 7 days
  a reversal    --type reversal: takes the hold back, or a part of it
  a card test   --type authorization --amount 0, or 1

With --currency the API lists the amount in that currency, and the balance moves by
its price in USD at a fixed rate: EUR 1.08, GBP 1.27, JPY 0.0067, MXN 0.055.`

// faultHelp lists the kinds of faults.
func faultHelp() string {
	var text strings.Builder
	text.WriteString("Inject a fault into the next requests, until no-faults. The kinds:\n")
	for _, k := range sandbox.FaultKinds() {
		fmt.Fprintf(&text, "\n  %-20s %s", k.Name, k.About)
	}
	return text.String()
}

// triggerTimeout bounds a control request.
const triggerTimeout = 10 * time.Second

// triggerCommand changes the world of a running sandbox.
func (p program) triggerCommand() *cobra.Command {
	var addr string
	group := &cobra.Command{
		Use:     "trigger",
		Short:   "Change the world of a running sandbox",
		Example: controls()[0].line(),
		Args:    cli.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	group.PersistentFlags().StringVar(&addr, "addr", sandboxAddr, "address the sandbox listens on")
	for _, c := range controls() {
		group.AddCommand(p.controlCommand(c, &addr))
	}
	return group
}

func (c control) line() string { return "  cardtop sandbox trigger " + c.example }

func (p program) controlCommand(c control, addr *string) *cobra.Command {
	cmd := &cobra.Command{Use: c.use, Short: c.short, Long: c.long, Example: c.line(), Args: cli.NoArgs}
	if bytes.Contains([]byte(c.path), []byte("{id}")) {
		cmd.Args = cli.OneID
	}
	for field, help := range c.texts {
		cmd.Flags().String(flagName(field), "", help)
	}
	for field, help := range c.nums {
		cmd.Flags().Var(new(cli.Number), flagName(field), help)
	}
	for field, help := range c.bools {
		cmd.Flags().Bool(flagName(field), false, help)
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		body := make(map[string]any)
		for field := range c.bools {
			if f := cmd.Flags().Lookup(flagName(field)); f.Changed {
				body[field] = json.RawMessage(f.Value.String())
			}
		}
		for field := range c.texts {
			if f := cmd.Flags().Lookup(flagName(field)); f.Changed {
				body[field] = f.Value.String()
			}
		}
		for field := range c.nums {
			if f := cmd.Flags().Lookup(flagName(field)); f.Changed {
				// A number is sent as it was typed: money is never a float.
				body[field] = json.Number(f.Value.String())
			}
		}
		for _, field := range c.required {
			if !cmd.Flags().Changed(flagName(field)) {
				return app.Usage(fmt.Errorf("--%s is missing: %s", flagName(field), c.texts[field]))
			}
		}
		path := c.path
		if len(args) == 1 {
			path = string(bytes.ReplaceAll([]byte(path), []byte("{id}"), []byte(url.PathEscape(args[0]))))
		}
		return p.send(cmd, c.method, *addr, path, body)
	}
	return cmd
}

func flagName(field string) string {
	return string(bytes.ReplaceAll([]byte(field), []byte("_"), []byte("-")))
}

// send sends a control request to the sandbox at an address and prints the
// response.
func (p program) send(cmd *cobra.Command, method, addr, path string, body map[string]any) error {
	if _, err := hostOf(addr); err != nil {
		return err
	}
	data, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("encode the request: %w", err)
	}
	var content io.Reader
	if method == http.MethodPost {
		content = bytes.NewReader(data)
	}
	req, err := http.NewRequestWithContext(cmd.Context(), method, "http://"+addr+path, content)
	if err != nil {
		return badAddr(addr)
	}
	if content != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := (&http.Client{Timeout: triggerTimeout}).Do(req)
	switch {
	case cmd.Context().Err() != nil:
		return cmd.Context().Err()
	case err != nil:
		return fmt.Errorf("no sandbox answers at %s (%s): start one with cardtop sandbox, or set its address with --addr", addr, innermost(err))
	}
	defer func() { _ = res.Body.Close() }() // The body is read to its end.
	answer, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	if err != nil {
		return fmt.Errorf("read the response of the sandbox: %s", innermost(err))
	}
	if res.StatusCode >= http.StatusBadRequest {
		var e struct{ Message string }
		if json.Unmarshal(answer, &e) == nil && e.Message != "" {
			return fmt.Errorf("the sandbox refused: %s", e.Message)
		}
		return fmt.Errorf("the sandbox answered %d", res.StatusCode)
	}
	_, err = fmt.Fprintln(p.out, string(bytes.TrimSpace(answer)))
	return err
}
