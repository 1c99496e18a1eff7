package cards

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cardcsv"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/cmd/write"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
)

const manyHelp = `With - for CARD, the ids of many cards are read from standard input, one a line. The plan is printed before it
runs; what is left of it after an interruption is resumed by cardtop plans resume. guardrails.max_bulk splits it
into parts.`

// onInput stands for the cards on standard input.
const onInput = "-"

// mostIDs bounds the cards of standard input.
const mostIDs = 10_000

// runMany carries a write on the cards of standard input out.
func runMany(cmd *cobra.Command, c *write.Command, want func([]api.CardID) state.Writes) error {
	lines, err := c.Lines(mostIDs)
	if err != nil {
		return err
	}
	ids := make([]api.CardID, 0, len(lines))
	seen := make(map[string]bool)
	for n, line := range lines {
		switch {
		case !strings.HasPrefix(line, write.IDPrefix) || strings.ContainsAny(line, " \t,;\"/"):
			return app.Usage(fmt.Errorf("line %d of standard input is no card id such as card_5f2c: cardtop cards list --template '{id}' prints them", n+1))
		case seen[line]:
			return app.Usage(fmt.Errorf("line %d of standard input is there twice: %s", n+1, cli.Shown(line)))
		}
		seen[line] = true
		ids = append(ids, api.CardID(line))
	}
	if len(ids) == 0 {
		return app.Usage(errors.New("standard input has no card id"))
	}
	return c.Many(cmd.Context(), func(ctx context.Context, acc app.Account) (write.WantedMany, error) {
		cards, err := write.ReadCards(ctx, acc, ids)
		return write.WantedMany{Intent: want(ids), Known: []kernel.Event{c.Cards(cards, true)}}, err
	})
}

// maxSheet bounds a file of cards, in bytes.
const maxSheet = 1 << 20

// createMany issues the cards of a file.
func createMany(cmd *cobra.Command, c *write.Command, path string) error {
	data, err := sheet(c, path)
	if err != nil {
		return app.Usage(err)
	}
	file := cardcsv.Read(nil, data)
	if len(file.Problems) > 0 {
		return app.Usage(problems(path, file.Problems))
	}
	return c.Many(cmd.Context(), func(ctx context.Context, acc app.Account) (write.WantedMany, error) {
		// All cards: a label that is there already may be of this file, issued before.
		cards, err := write.ReadAll(ctx, acc, func(api.CardItem) bool { return true })
		return write.WantedMany{Intent: state.Writes{Kind: state.BulkIssue, Rows: file.Rows}, Known: []kernel.Event{c.Cards(cards, true)}}, err
	})
}

func sheet(c *write.Command, path string) ([]byte, error) {
	if path == onInput {
		return readPipe("standard input", c.In())
	}
	if info, err := os.Stat(path); err == nil && info.Mode()&os.ModeNamedPipe != 0 { // Such as <(make-cards).
		pipe, err := os.Open(path) //nolint:gosec // a person names it
		if err != nil {
			return nil, fmt.Errorf("read file: %w", err)
		}
		defer pipe.Close() //nolint:errcheck // it was only read
		return readPipe(path, pipe)
	}
	return c.ReadSheet(path)
}

func readPipe(name string, from io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(from, maxSheet+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("read %s: %w", name, err)
	case len(data) > maxSheet:
		return nil, errors.New(name + " is larger than 1 MiB")
	}
	return data, nil
}

// problems lists what is wrong with a file, the first lines of it.
func problems(path string, all []cardcsv.Problem) error {
	const listed = 20
	var lines []string
	for i, p := range all {
		if i == listed {
			lines = append(lines, fmt.Sprintf("and %d more", len(all)-i))
			break
		}
		text := p.Text
		if p.Column != "" {
			text = p.Column + " " + text
		}
		lines = append(lines, fmt.Sprintf("%s:%d: %s", path, p.Line, text))
	}
	return errors.New(strings.Join(lines, "\n"))
}
