package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
)

// do runs a tool and returns what it printed.
func (s *server) do(ctx context.Context, t *tool, given map[string]json.RawMessage, on *progress) (data, error) {
	if err := s.limit.check(t.name, t.verb); err != nil {
		return data{}, err
	}
	flags, rest, page, err := t.line(given)
	if err != nil {
		return data{}, err
	}
	if t.verb != "" {
		s.writing.Lock()
		defer s.writing.Unlock()
	}
	if t.ends {
		if rest, err = s.named(ctx, rest, given[last4Arg], on); err != nil {
			return data{}, err
		}
	}
	line := append(strings.Fields(t.command), flags...)
	if t.list && slices.ContainsFunc(t.args, func(a arg) bool { return a.name == limitArg && a.flag != "" }) {
		line = append(line, fmt.Sprintf("--limit=%d", page.skip+page.limit+1))
	}
	line = append(line, "--json")
	if t.verb != "" && t.verb != "settle" {
		line = append(line, "--yes")
	}
	out, err := s.spend(ctx, t, line, rest, given, on)
	var incomplete *app.IncompleteError
	if err != nil && !errors.As(err, &incomplete) {
		return data{}, err
	}
	d, err := read(out, t.list)
	if err != nil {
		return data{}, err
	}
	if incomplete != nil {
		d.Incomplete = incomplete.Error()
	}
	d.keep(page.skip, page.limit, t.latestLast)
	return d, nil
}

// spend runs a command line within what may move. What did not move is given back;
// what may have moved is not.
func (s *server) spend(ctx context.Context, t *tool, line, rest []string, given map[string]json.RawMessage, on *progress) (string, error) {
	if !t.money || string(given["dry_run"]) == "true" {
		return s.run(ctx, append(append(line, "--"), rest...), on)
	}
	amount, err := amountOf(given["amount"])
	if err != nil {
		return "", err
	}
	release, err := s.limit.reserve(string(given["idempotency_key"]), amount)
	if err != nil {
		return "", err
	}
	line = append(line, "--max-amount="+amount.String(), "--")
	out, err := s.run(ctx, append(line, rest...), on)
	if stayed(out, err) {
		release()
	} else {
		s.limit.charge(answered(out) - amount)
	}
	return out, err
}

// answered is the amount that the output of a call says has moved, USD; 0 where it does not
// say.
func answered(out string) api.USD {
	var done struct {
		Amount api.USD `json:"amount"`
	}
	if json.Unmarshal([]byte(out), &done) != nil {
		return 0
	}
	return done.Amount
}

// stayed reports whether it is certain that a call moved nothing.
func stayed(out string, err error) bool {
	if err == nil {
		var done struct {
			Again bool `json:"again"`
		}
		return json.Unmarshal([]byte(out), &done) == nil && done.Again
	}
	if errors.Is(err, api.ErrApprovalRequired) {
		return false // A lead may let it act later.
	}
	code := cli.ExitCode(err)
	return out == "" && (code == cli.ExitFailed || code == cli.ExitUsage || code == cli.ExitAuth || code == cli.ExitLimit)
}

// amountOf returns an amount as it was given.
func amountOf(raw json.RawMessage) (api.USD, error) {
	u, err := cli.ParseAmount(strings.Trim(string(raw), `"`))
	if err != nil {
		return 0, app.Usage(errors.New("amount takes USD with at most two decimals, such as 12.50"))
	}
	return u, nil
}

// named returns the id of the card that is meant, if it has the digits that the user
// said.
func (s *server) named(ctx context.Context, rest []string, said json.RawMessage, on *progress) ([]string, error) {
	out, err := s.run(ctx, append([]string{"cards", "show", "--json", "--fields=id,last4", "--"}, rest...), on)
	if err != nil {
		return nil, err
	}
	var card struct {
		ID    string `json:"id"`
		Last4 string `json:"last4"`
	}
	if err := json.Unmarshal([]byte(out), &card); err != nil {
		return nil, fmt.Errorf("read the card: %w", err)
	}
	if card.Last4 == "" || string(said) != `"`+card.Last4+`"` {
		return nil, app.Usage(errors.New("last4 is not that of the card: ask the user for it"))
	}
	return []string{card.ID}, nil
}
