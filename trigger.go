package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/spf13/cobra"
)

// lever is one of the sandbox's controls as a command.
type lever struct {
	use, short string
	method     string
	// path may hold {id}, which the command's argument fills.
	path  string
	texts map[string]string // JSON field: help of its flag
	nums  map[string]string
}

func levers() []lever {
	const post = http.MethodPost
	return []lever{
		{
			"challenge", "Ask for a 3DS code", post, "/sandbox/challenges",
			map[string]string{"card_id": "card", "merchant": "merchant", "otp": "code to use"},
			map[string]string{"amount": "USD"},
		},
		{"challenge-complete ID", "Let a challenge succeed", post, "/sandbox/challenges/{id}/complete", nil, nil},
		{"challenge-expire ID", "Let a challenge run out", post, "/sandbox/challenges/{id}/expire", nil, nil},
		{
			"transaction", "Use a card; its rules decide", post, "/sandbox/transactions",
			map[string]string{
				"card_id": "card", "type": "authorization, settlement, refund or decline", "merchant": "merchant",
				"category": "category", "mcc": "MCC", "country": "country code", "decline_reason": "cause of a decline",
			},
			map[string]string{"amount": "USD"},
		},
		{
			"deposit", "Let a deposit arrive", post, "/sandbox/deposits",
			map[string]string{"currency": "btc, eth, sol or usdt", "status": "pending or confirmed"},
			map[string]string{"amount_usd": "USD"},
		},
		{"deposit-confirm ID", "Confirm a deposit", post, "/sandbox/deposits/{id}/confirm", nil, nil},
		{"deposit-expire ID", "Let a deposit expire", post, "/sandbox/deposits/{id}/expire", nil, nil},
		{"clock", "Move the sandbox's clock on", post, "/sandbox/clock", nil, map[string]string{"advance_seconds": "seconds"}},
		{
			"fault", "Misbehave on the requests to come", post, "/sandbox/faults",
			map[string]string{"route": "such as GET /3ds, or * for all", "kind": "what goes wrong"},
			map[string]string{"times": "how often", "probability": "0 to 1", "latency_ms": "milliseconds"},
		},
		{"no-faults", "Behave again", http.MethodDelete, "/sandbox/faults", nil, nil},
		{"report", "Print what was asked of the sandbox", http.MethodGet, "/sandbox/report", nil, nil},
	}
}

// triggerTimeout bounds one pull of a lever.
const triggerTimeout = 10 * time.Second

// triggerCommand moves a running sandbox's world by hand.
func (p program) triggerCommand() *cobra.Command {
	var addr string
	group := &cobra.Command{
		Use:   "trigger",
		Short: "Make something happen in a running sandbox",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	group.PersistentFlags().StringVar(&addr, "addr", "127.0.0.1:8787", "address the sandbox listens on")
	for _, l := range levers() {
		group.AddCommand(p.leverCommand(l, &addr))
	}
	return group
}

func (p program) leverCommand(l lever, addr *string) *cobra.Command {
	cmd := &cobra.Command{Use: l.use, Short: l.short, Args: cobra.NoArgs}
	if bytes.Contains([]byte(l.path), []byte("{id}")) {
		cmd.Args = cobra.ExactArgs(1)
	}
	for field, help := range l.texts {
		cmd.Flags().String(flagName(field), "", help)
	}
	for field, help := range l.nums {
		cmd.Flags().String(flagName(field), "", help)
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
		path := l.path
		if len(args) == 1 {
			path = string(bytes.ReplaceAll([]byte(path), []byte("{id}"), []byte(url.PathEscape(args[0]))))
		}
		return p.pull(cmd, l.method, "http://"+*addr+path, body)
	}
	return cmd
}

func flagName(field string) string {
	return string(bytes.ReplaceAll([]byte(field), []byte("_"), []byte("-")))
}

// pull sends one request to the sandbox's control and prints its answer.
func (p program) pull(cmd *cobra.Command, method, address string, body map[string]any) error {
	data, err := json.Marshal(body)
	if err != nil {
		return usage(fmt.Errorf("a number is not one: %w", err))
	}
	var content io.Reader
	if method == http.MethodPost {
		content = bytes.NewReader(data)
	}
	req, err := http.NewRequestWithContext(cmd.Context(), method, address, content)
	if err != nil {
		return usage(err)
	}
	if content != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := (&http.Client{Timeout: triggerTimeout}).Do(req)
	if err != nil {
		return fmt.Errorf("ask the sandbox: %w", err)
	}
	defer func() { _ = res.Body.Close() }() // Everything is read below.
	answer, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	if err != nil {
		return fmt.Errorf("read the sandbox's answer: %w", err)
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
