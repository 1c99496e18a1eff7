// Package raw is the command that prints the API's answer as it is.
package raw

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/cmd/read"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/engine"
)

// Command returns it.
func Command(p cli.Program) *cobra.Command {
	r := read.Command{Program: p}
	cmd := &cobra.Command{
		Use: "api [GET] PATH", Short: "Print the API's answer to a read",
		Long: `Print the API's answer to a read, for what no other command prints. Requests count
against the limits as those of every command, and wait for them.

It only reads. What changes something is a command of its own, which is recorded before
it is sent. Card details are copied, not printed.`,
		Example: `  cardtop api '/cards?status=frozen&per_page=100'
  cardtop api GET /transactions/txn_8fj2`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return errors.New("cardtop api takes one path, such as /cards?status=frozen")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			asked, err := readOf(args)
			if err != nil {
				return app.Usage(err)
			}
			return r.Read(cmd.Context(), func(ctx context.Context, eng *engine.Engine, _ config.Resolved) error {
				body, err := engine.Read(ctx, eng, "api", func(ctx context.Context, c *client.Client) (api.Secret, error) { return c.ReadRaw(ctx, asked) })
				if err != nil {
					return cli.Failed("read "+asked.Route, err)
				}
				defer body.Wipe() // It may have codes.
				return printJSON(p.Out, body.Bytes())
			})
		},
	}
	cli.AllAccountFlags(cmd.Flags(), &r.Account)
	return cmd
}

// printJSON prints an answer, with what could act on a terminal escaped. A hub that withholds a list from the user's role
// says so in it.
func printJSON(to io.Writer, body []byte) error {
	var withheld struct {
		Why api.Text `json:"withheld"`
	}
	if json.Unmarshal(body, &withheld) == nil && withheld.Why != "" {
		return cli.Failed("read it", fmt.Errorf("%w: %s", api.ErrWithheld, withheld.Why))
	}
	var pretty bytes.Buffer
	defer func() { clear(pretty.Bytes()) }()
	if err := json.Indent(&pretty, body, "", "  "); err != nil {
		return cli.Failed("read it", err)
	}
	out := make([]byte, 0, pretty.Len()+1)
	for _, r := range pretty.String() {
		switch {
		case r == '\n' || unicode.IsGraphic(r) && !unicode.Is(unicode.Cf, r):
			out = utf8.AppendRune(out, r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
	}
	defer clear(out)
	_, err := to.Write(append(out, '\n'))
	return err
}

// lists and objects are what the contract lets be read, but for card details and for webhooks, which may have secrets.
func lists() []string {
	return []string{"/wallet/balance", "/wallet/deposit-address", "/wallet/deposits", "/bins", "/cards", "/transactions", "/3ds"}
}

func objects() []string {
	return []string{"/cards/{card_id}", "/transactions/{txn_id}", "/3ds/{challenge_id}"}
}

// readOf makes a read of what was typed: a path, behind a method or alone.
func readOf(args []string) (api.Read, error) {
	if len(args) == 2 && !strings.EqualFold(args[0], "get") {
		return api.Read{}, errors.New("cardtop api only reads: what changes something has a command of its own (cardtop --help)")
	}
	at, err := url.Parse(args[len(args)-1])
	if err != nil || at.Host != "" || at.Scheme != "" || at.Fragment != "" {
		return api.Read{}, errors.New("cardtop api takes one path, such as /cards?status=frozen")
	}
	query, err := url.ParseQuery(at.RawQuery)
	if err != nil {
		return api.Read{}, errors.New("the query of the path is not valid")
	}
	path := "/" + strings.TrimPrefix(strings.Trim(at.Path, "/"), "v1/")
	switch {
	case strings.HasSuffix(path, "/details"):
		return api.Read{}, errors.New("card details are not printed: cardtop cards copy CARD copies them")
	case slices.Contains(lists(), path):
		return api.Read{Route: path, Query: query}, nil
	}
	for _, template := range objects() {
		before, _, _ := strings.Cut(template, "{")
		if id, below := strings.CutPrefix(path, before); below && api.IsID(id) {
			return api.Read{Route: template, Segment: id, Query: query}, nil
		}
	}
	return api.Read{}, fmt.Errorf("nothing is read at that path: %s", strings.Join(slices.Concat(lists(), objects()), ", "))
}
