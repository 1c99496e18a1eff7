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
)

// lever is one of the sandbox's controls as a command.
type lever struct {
	use, short string
	long       string // more of the help; empty for none
	example    string // its flags or argument
	method     string
	// path may hold {id}, which the command's argument fills.
	path  string
	must  []string          // JSON fields that cannot be left out
	texts map[string]string // JSON field: help of its flag
	nums  map[string]string
}

func levers() []lever {
	const post = http.MethodPost
	card := "card: id, its beginning, or last four digits"
	return []lever{
		{
			use: "challenge", short: "Ask for a 3DS code", method: post, path: "/sandbox/challenges",
			example: "challenge --card-id 2039 --merchant Acme --amount 25 --otp 482913",
			texts:   map[string]string{"card_id": card + "; any without it", "merchant": "merchant", "otp": "code to use"},
			nums:    map[string]string{"amount": "USD"},
		},
		{use: "challenge-complete ID", short: "Let a challenge succeed", method: post, path: "/sandbox/challenges/{id}/complete", example: "challenge-complete 3ds_000001q79ecza3cf"},
		{use: "challenge-expire ID", short: "Let a challenge run out", method: post, path: "/sandbox/challenges/{id}/expire", example: "challenge-expire 3ds_000001q79ecza3cf"},
		{
			use: "transaction", short: "Use a card; its rules decide", method: post, path: "/sandbox/transactions",
			example: "transaction --card-id 2039 --type authorization --amount 12.50 --merchant Acme",
			texts: map[string]string{
				"card_id": card, "type": "authorization, settlement, refund or decline", "merchant": "merchant",
				"category": "category", "mcc": "MCC", "country": "country code", "decline_reason": "cause of a decline",
			},
			nums: map[string]string{"amount": "USD"},
		},
		{
			use: "deposit", short: "Let a deposit arrive", method: post, path: "/sandbox/deposits",
			example: "deposit --currency usdt --amount-usd 250",
			must:    []string{"currency"},
			texts:   map[string]string{"currency": "btc, eth, sol or usdt", "status": "pending or confirmed"},
			nums:    map[string]string{"amount_usd": "USD"},
		},
		{use: "deposit-confirm ID", short: "Confirm a deposit", method: post, path: "/sandbox/deposits/{id}/confirm", example: "deposit-confirm dep_000001q79ecza3cf"},
		{use: "deposit-expire ID", short: "Let a deposit expire", method: post, path: "/sandbox/deposits/{id}/expire", example: "deposit-expire dep_000001q79ecza3cf"},
		{use: "clock", short: "Move the sandbox's clock on", method: post, path: "/sandbox/clock", example: "clock --advance-seconds 300", nums: map[string]string{"advance_seconds": "seconds"}},
		{
			use: "fault", short: "Misbehave on the requests to come", long: faultHelp(), method: post, path: "/sandbox/faults",
			example: "fault --route 'POST /cards/{card_id}/fund' --kind commit_then_timeout --times 1",
			texts:   map[string]string{"route": "such as 'GET /3ds', or * for all", "kind": "what goes wrong"},
			nums:    map[string]string{"times": "how often", "probability": "0 to 1", "latency_ms": "milliseconds"},
		},
		{use: "no-faults", short: "Behave again", method: http.MethodDelete, path: "/sandbox/faults", example: "no-faults"},
		{use: "report", short: "Print what was asked of the sandbox", method: http.MethodGet, path: "/sandbox/report", example: "report"},
	}
}

// faultHelp lists what can go wrong.
func faultHelp() string {
	var text strings.Builder
	text.WriteString("Misbehave on the requests to come, until no-faults. The kinds:\n")
	for _, k := range sandbox.FaultKinds() {
		fmt.Fprintf(&text, "\n  %-20s %s", k.Name, k.About)
	}
	return text.String()
}

// triggerTimeout bounds one pull of a lever.
const triggerTimeout = 10 * time.Second

// triggerCommand moves a running sandbox's world by hand.
func (p program) triggerCommand() *cobra.Command {
	var addr string
	group := &cobra.Command{
		Use:     "trigger",
		Short:   "Make something happen in a running sandbox",
		Example: levers()[0].line(),
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	group.PersistentFlags().StringVar(&addr, "addr", "127.0.0.1:8787", "address the sandbox listens on")
	for _, l := range levers() {
		group.AddCommand(p.leverCommand(l, &addr))
	}
	return group
}

func (l lever) line() string { return "  cardtop sandbox trigger " + l.example }

func (p program) leverCommand(l lever, addr *string) *cobra.Command {
	cmd := &cobra.Command{Use: l.use, Short: l.short, Long: l.long, Example: l.line(), Args: noArgs}
	if bytes.Contains([]byte(l.path), []byte("{id}")) {
		cmd.Args = oneID
	}
	for field, help := range l.texts {
		cmd.Flags().String(flagName(field), "", help)
	}
	for field, help := range l.nums {
		cmd.Flags().Var(new(number), flagName(field), help)
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		body := make(map[string]any)
		for field := range l.texts {
			if f := cmd.Flags().Lookup(flagName(field)); f.Changed {
				body[field] = f.Value.String()
			}
		}
		for field := range l.nums {
			if f := cmd.Flags().Lookup(flagName(field)); f.Changed {
				// A number goes as it was typed: money is never a float here.
				body[field] = json.Number(f.Value.String())
			}
		}
		for _, field := range l.must {
			if !cmd.Flags().Changed(flagName(field)) {
				return app.Usage(fmt.Errorf("--%s is missing: %s", flagName(field), l.texts[field]))
			}
		}
		path := l.path
		if len(args) == 1 {
			path = string(bytes.ReplaceAll([]byte(path), []byte("{id}"), []byte(url.PathEscape(args[0]))))
		}
		return p.pull(cmd, l.method, *addr, path, body)
	}
	return cmd
}

func flagName(field string) string {
	return string(bytes.ReplaceAll([]byte(field), []byte("_"), []byte("-")))
}

// pull sends one request to the control of the sandbox at an address and prints
// its answer.
func (p program) pull(cmd *cobra.Command, method, addr, path string, body map[string]any) error {
	if _, err := hostOf(addr); err != nil {
		return err
	}
	data, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("write the request: %w", err)
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
		return fmt.Errorf("no sandbox answers at %s (%s): start one with cardtop sandbox, or say where it is with --addr", addr, innermost(err))
	}
	defer func() { _ = res.Body.Close() }() // Everything is read below.
	answer, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	if err != nil {
		return fmt.Errorf("read the answer of the sandbox: %s", innermost(err))
	}
	if res.StatusCode >= http.StatusBadRequest {
		var e struct{ Message string }
		if json.Unmarshal(answer, &e) == nil && e.Message != "" {
			return fmt.Errorf("the sandbox refused it: %s", e.Message)
		}
		return fmt.Errorf("the sandbox answered %d", res.StatusCode)
	}
	_, err = fmt.Fprintln(p.out, string(bytes.TrimSpace(answer)))
	return err
}
