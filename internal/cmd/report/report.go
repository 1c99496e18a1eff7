// Package report is the command that adds up what was spent.
package report

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/cmd/output"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/query"
	"github.com/cardtop/cardtop/state/campaign"
	"github.com/cardtop/cardtop/state/ledger"
)

const help = `Add up what was spent, held and declined, a line for each campaign, card, BIN, merchant or UTC day and
one for all.

Spent is what settled less what was refunded, each at its own time. Holds are what is most likely held still.
24h, 7d and other days begin at the full hour at or before that, as on the screens; a date is from then on (UTC).
24h and 7d are compared with a span of the same length before, today (the UTC day) with the day before up to
the same time. Other currencies than USD are in no sum, and counted.

Transactions are read with a request for 100, those of 10 days before the range as well: they tell what is held
still. --alone leaves them out, and with them holds and change. Nothing is printed before all are read.`

// report is what a report is asked for.
type report struct {
	cli.Program
	account config.Flags
	output  output.Flags
	since   since
	by      string
	alone   bool
}

// Command returns the command.
func Command(p cli.Program) *cobra.Command {
	r := report{Program: p, since: ofRange(ledger.Last7d), by: byCampaign}
	cmd := &cobra.Command{
		Use: "report", Short: "Print what was spent, held and declined", Long: help,
		Example: `  cardtop report
  cardtop report --since today
  cardtop report --since 30d --by day --csv > days.csv
  cardtop report --since 24h --by merchant --md
  cardtop report --since 2026-03-01 --jsonl | jq 'select(.by == "total").spent'`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return r.run(cmd.Context()) },
	}
	f := cmd.Flags()
	cli.AllAccountFlags(f, &r.account)
	r.output.Add(f)
	f.Var(&r.since, "since", "today, 24h, days such as 7d or 2w up to 30d, or a date of the last 30 days (UTC)")
	f.Var(cli.Word{To: &r.by, Known: []string{byCampaign, byCard, byBIN, byMerchant, byDay}}, "by", "a line for each campaign, card, bin, merchant or day")
	f.BoolVar(&r.alone, "alone", false, "read the range alone: no holds, no change")
	return cmd
}

func (r *report) run(ctx context.Context) error {
	if r.by == byDay && r.since == ofRange(ledger.Last24h) {
		return app.Usage(errors.New("--since 24h has no whole days: use --since 7d or a date"))
	}
	out, err := output.New(r.Program, r.output, fields(r.by))
	if err != nil {
		return err
	}
	return r.WithReadOnlyAccount(ctx, r.account, ", or use --sandbox", func(ctx context.Context, eng *engine.Engine, run config.Resolved) error {
		lines, err := r.read(ctx, eng, run)
		if err != nil {
			return err
		}
		for _, l := range lines {
			if err := out.Put(l); err != nil {
				return err
			}
		}
		return cmp.Or(out.End(), app.Complete(eng))
	})
}

// read reads what the report is about.
func (r *report) read(ctx context.Context, eng *engine.Engine, run config.Resolved) ([]Line, error) {
	rule, err := campaign.Parse(run.Settings.Campaign)
	if err != nil {
		return nil, app.Usage(err)
	}
	if err := engine.ReadClock(ctx, eng); err != nil {
		return nil, cli.Failed("read the time of the API", err)
	}
	var read reading
	if read.window, err = r.since.window(eng.ServerNow().UTC(), r.alone); err != nil {
		return nil, err
	}
	say := &progress{Program: r.Program}
	say.Errs = r.output.Aside(r.Errs)
	defer say.end()
	if err := read.readTransactions(ctx, eng, say); err != nil {
		return nil, err
	}
	if !r.alone || r.by == byCampaign || r.by == byCard || r.by == byBIN { // Terminated cards hold nothing.
		if err := read.readCards(ctx, eng, rule, say); err != nil {
			return nil, err
		}
	}
	if r.by == byCampaign && rule.ByMetadata() {
		if err := read.readMetadata(ctx, eng, rule, say); err != nil {
			return nil, err
		}
	}
	if r.output.Table() {
		say.end()
		_, _ = fmt.Fprintf(r.Errs, "from %s to %s\n", read.from.Format(time.RFC3339), read.to.Format(time.RFC3339)) // Nobody misses it.
	}
	lines := read.lines(r.by)
	if n := lines[len(lines)-1].Foreign; n > 0 {
		r.Say(fmt.Sprintf("not included: %d transactions in other currencies", n))
	}
	return lines, nil
}

const (
	day = 24 * time.Hour
	// lastDays is how many days can be added up before today.
	lastDays = ledger.Days - 1
)

// since is a flag that takes how far back a report reaches.
type since struct {
	text string
	over ledger.Range // where it is one
	// date is a UTC day; zero for one of the ranges and for days, which are as many times 24 hours.
	date time.Time
	days int
}

func ofRange(r ledger.Range) since { return since{text: r.String(), over: r} }

// Set implements pflag.Value.
func (s *since) Set(text string) error {
	if age, ok := query.ParseAge(strings.ToLower(text)); ok {
		return s.setAge(age)
	}
	if strings.EqualFold(text, ledger.Today.String()) {
		*s = ofRange(ledger.Today)
		return nil
	}
	date, err := time.Parse(time.DateOnly, text)
	if err != nil || date.IsZero() {
		return errors.New("not a range")
	}
	*s = since{text: text, date: date}
	return nil
}

// setAge takes a span of whole days as ages are written elsewhere: 1d is 24h, 1w is 7d.
func (s *since) setAge(age time.Duration) error {
	for _, r := range ledger.Ranges() {
		if r != ledger.Today && r.Span() == age {
			*s = ofRange(r)
			return nil
		}
	}
	if age < day || age > lastDays*day || age%day != 0 {
		return errors.New("not a range")
	}
	n := int(age / day)
	*s = since{text: strconv.Itoa(n) + "d", days: n}
	return nil
}

// String implements pflag.Value.
func (s *since) String() string { return s.text }

// Type is its name in the help.
func (*since) Type() string { return "range" }

// Takes describes its values.
func (*since) Takes() string {
	return "today, 24h, days such as 7d or 2w up to 30d, or a date of the last 30 days such as 2026-03-01 (UTC)"
}

// window is the time that a report is about, on the server's clock.
type window struct {
	now time.Time
	// from and to bound the range; over is which it is, unless it is dated: of another length, or
	// from a date on.
	from, to time.Time
	over     ledger.Range
	dated    bool
	// read is from when on transactions are read: so much earlier than from that
	// what is held, and the span before, are known. alone is that it is not.
	read  time.Time
	alone bool
}

// window returns the time of a report that is made now, in UTC; alone is whether
// nothing earlier than the range is read.
func (s *since) window(now time.Time, alone bool) (window, error) {
	today, hour := now.Truncate(day), now.Truncate(time.Hour)
	first := today.Add(-lastDays * day)
	w := window{now: now, to: now.Truncate(time.Second).Add(time.Second), over: s.over, dated: !s.date.IsZero() || s.days > 0, alone: alone}
	switch {
	case s.date.Before(first) && !s.date.IsZero(), s.date.After(today):
		return w, app.Usage(fmt.Errorf("--since takes a date from %s to %s (UTC): the last %d days are added up", first.Format(time.DateOnly), today.Format(time.DateOnly), lastDays))
	case s.days > 0:
		w.from = hour.Add(-time.Duration(s.days) * day)
	case w.dated:
		w.from = s.date
	case w.over == ledger.Today:
		w.from = today
	default:
		w.from = hour.Add(-w.over.Span())
	}
	w.read = w.from
	switch compared := !alone && !w.dated; {
	case compared && w.over == ledger.Today:
		w.read = w.from.Add(-day)
	case compared && (w.over == ledger.Last24h || w.over == ledger.Last7d):
		w.read = w.from.Add(-w.to.Sub(w.from)) // The span before, which is as long.
	}
	if held := today.Add(-(ledger.PairDays - 1) * day); !alone && held.Before(w.read) {
		w.read = held // What tells what is held is the same for every range.
	}
	if w.read.Before(first) {
		w.read = first
	}
	return w, nil
}
