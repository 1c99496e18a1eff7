package complete

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/query"
	"github.com/cardtop/cardtop/internal/storage/cache"
	"github.com/cardtop/cardtop/state"
)

// names offers what things are called, as the dashboard and commands saved it.
type names struct{ program cli.Program }

// idPrefix is that of card ids in the contract.
const idPrefix = "card_"

// account returns the account that the flags of a command line name.
func account(cmd *cobra.Command) config.Flags {
	text := func(name string) string {
		v, err := cmd.Flags().GetString(name)
		if err != nil {
			return "" // The command has no such flag.
		}
		return v
	}
	return config.Flags{Profile: text("profile"), Config: text("config"), BaseURL: text("base-url")}
}

// load returns the names. Whatever fails, nothing is offered: a shell has no place
// for an error. While the screen is recorded, cards are but ids.
func (n *names) load(cmd *cobra.Command) (got cache.Names, private bool) {
	got, err := n.program.CachedNames(account(cmd))
	if err != nil {
		cobra.CompDebugln(err.Error(), false)
		return cache.Names{}, true
	}
	return got, n.program.Recorded(cmd.Context())
}

// profile offers the profiles of the configuration.
func (n *names) profile(cmd *cobra.Command, begin string) ([]cobra.Completion, cobra.ShellCompDirective) {
	c, err := n.program.Load(account(cmd))
	if err != nil {
		cobra.CompDebugln(err.Error(), false)
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return words(c.Profiles())(cmd, begin)
}

// card offers what means one card: its label or last four digits where no other card
// has them, and its id once that is begun.
func (n *names) card(cmd *cobra.Command, begin string) ([]cobra.Completion, cobra.ShellCompDirective) {
	got, private := n.load(cmd)
	if private || begin != "" && strings.HasPrefix(begin, idPrefix[:min(len(begin), len(idPrefix))]) {
		out := ids(got.Cards, begin, private)
		if private || strings.HasPrefix(begin, idPrefix) {
			return shorten(out, begin)
		}
		return shorten(append(out, called(got.Cards, begin)...), begin)
	}
	return shorten(called(got.Cards, begin), begin)
}

// cardID offers ids alone.
func (n *names) cardID(cmd *cobra.Command, begin string) ([]cobra.Completion, cobra.ShellCompDirective) {
	got, private := n.load(cmd)
	return shorten(ids(got.Cards, begin, private), begin)
}

func ids(cards []cache.CardName, begin string, private bool) []cobra.Completion {
	var out []cobra.Completion
	for i := range cards {
		c := &cards[i]
		if !strings.HasPrefix(string(c.ID), begin) {
			continue
		}
		about := ""
		if !private {
			about = string(c.Label) + " " + about4(c)
		}
		out = append(out, described(string(c.ID), about))
	}
	return out
}

// called are labels, and the last four digits where they are begun or there is no
// label. As in the commands, terminated cards do not count.
func called(cards []cache.CardName, begin string) []cobra.Completion {
	count := make(map[api.Text]int)
	for i := range cards {
		if c := &cards[i]; c.Status != api.CardTerminated {
			count[c.Label]++
			if c.Last4 != c.Label {
				count[c.Last4]++
			}
		}
	}
	var out []cobra.Completion
	digits := begin != "" && strings.Trim(begin, "0123456789") == ""
	for i := range cards {
		c := &cards[i]
		if c.Status == api.CardTerminated {
			continue
		}
		if label := string(c.Label); sayable(label) && count[c.Label] == 1 && strings.HasPrefix(label, begin) {
			out = append(out, described(label, about4(c)))
		}
		if last := string(c.Last4); (digits || c.Label == "") && count[c.Last4] == 1 && last != "" && strings.HasPrefix(last, begin) {
			out = append(out, described(last, string(c.Label)+" "+string(c.Status)))
		}
	}
	return out
}

// sayable reports whether a label can stand on a command line as it is: not as a
// flag, an id or standard input.
func sayable(label string) bool {
	return label != "" && strings.TrimSpace(label) == label && label[0] != '-' && !strings.HasPrefix(label, idPrefix)
}

func about4(c *cache.CardName) string { return "••" + string(c.Last4) + " " + string(c.Status) }

// transaction offers the ids of transactions.
func (n *names) transaction(cmd *cobra.Command, begin string) ([]cobra.Completion, cobra.ShellCompDirective) {
	got, _ := n.load(cmd)
	var out []cobra.Completion
	for _, id := range slices.Backward(got.Transactions) { // The newest first.
		if strings.HasPrefix(string(id), begin) {
			out = append(out, string(id))
		}
	}
	return shorten(out, begin)
}

// bin offers the BINs of the cards there are.
func (n *names) bin(cmd *cobra.Command, begin string) ([]cobra.Completion, cobra.ShellCompDirective) {
	got, _ := n.load(cmd)
	return words(distinct(got.Cards, func(c *cache.CardName) string { return string(c.BIN) }))(cmd, begin)
}

// label offers labels, which need not be whole or of one card.
func (n *names) label(cmd *cobra.Command, begin string) ([]cobra.Completion, cobra.ShellCompDirective) {
	got, private := n.load(cmd)
	if private {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	out, _ := words(distinct(got.Cards, func(c *cache.CardName) string { return string(c.Label) }))(cmd, begin)
	return shorten(out, begin)
}

// filter offers the terms of a filter.
func (n *names) filter(suggest func(string, func(string) []string) []query.Suggestion) offer {
	return func(cmd *cobra.Command, begin string) ([]cobra.Completion, cobra.ShellCompDirective) {
		var out []cobra.Completion
		open := false
		for _, s := range suggest(begin, func(field string) []string { return n.values(cmd, field) }) {
			about := s.About
			if _, values, ok := strings.Cut(about, ": "); ok {
				about = values
			}
			out, open = append(out, described(s.Text, about)), open || s.Open
		}
		if open {
			return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
		}
		return shorten(out, begin)
	}
}

// values are what the cards have in a field of a filter.
func (n *names) values(cmd *cobra.Command, field string) []string {
	got, private := n.load(cmd)
	read := map[string]func(*cache.CardName) string{
		"bin": func(c *cache.CardName) string { return string(c.BIN) },
		"net": func(c *cache.CardName) string { return string(c.Network) },
	}
	if !private {
		read["label"] = func(c *cache.CardName) string { return string(c.Label) }
		read["card"] = func(c *cache.CardName) string { return string(c.Last4) }
	}
	if read[field] == nil {
		return nil
	}
	return distinct(got.Cards, read[field])
}

// distinct are the values of cards, sorted, each once.
func distinct(cards []cache.CardName, read func(*cache.CardName) string) []string {
	var out []string
	for i := range cards {
		if v := read(&cards[i]); v != "" {
			out = append(out, v)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func described(word, about string) cobra.Completion {
	return cobra.CompletionWithDesc(word, strings.TrimSpace(about))
}

// operation offers the keys of operations without an answer.
func (n *names) operation(cmd *cobra.Command, begin string) ([]cobra.Completion, cobra.ShellCompDirective) {
	ops, _ := n.underWay(cmd)
	private := n.program.Recorded(cmd.Context())
	var out []cobra.Completion
	for _, op := range ops {
		if !strings.HasPrefix(string(op.Key), begin) {
			continue
		}
		about := op.Kind.Verb()
		if !private {
			about += " " + op.Name
		}
		if op.Amount != 0 {
			about += " " + "$" + op.Amount.Grouped()
		}
		out = append(out, described(string(op.Key), about))
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// plan offers the ids of plans that are not whole.
func (n *names) plan(cmd *cobra.Command, begin string) ([]cobra.Completion, cobra.ShellCompDirective) {
	_, left := n.underWay(cmd)
	var out []cobra.Completion
	for _, l := range left {
		if !strings.HasPrefix(string(l.Plan.ID), begin) {
			continue
		}
		cards := l.Plan.Totals().Cards
		out = append(out, described(string(l.Plan.ID), fmt.Sprintf("%s, %d cards, %s", l.Plan.Kind, cards, l.Plan.Made.Local().Format(time.DateTime))))
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// underWay returns what can be read of what has no end.
func (n *names) underWay(cmd *cobra.Command) ([]state.Op, []state.LeftPlan) {
	ops, left, err := n.program.UnderWay(account(cmd))
	if err != nil {
		cobra.CompDebugln(err.Error(), false)
	}
	return ops, left
}
