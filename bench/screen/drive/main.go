// Command drive measures cardtop on its real screen, together with fzf, which
// shows the same cards. Each runs in a pseudo-terminal of 160x45, in alternating
// rounds, and both get the same keys.
//
//	bench/screen.sh [-cards N] [-rounds N] [-short]
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"time"
)

// plan says what is measured.
type plan struct {
	bin                         string // folder of the built programs
	cards, transactions, rounds int
	short                       bool // a trial: holds nothing against the bars
}

// smallest is how many cards the small account has.
const smallest = 1000

func main() {
	log.SetFlags(0)
	p := plan{transactions: 20_000}
	flag.StringVar(&p.bin, "bin", "", "folder of the built programs")
	flag.IntVar(&p.cards, "cards", 100_000, "cards of the large account")
	flag.IntVar(&p.rounds, "rounds", 5, "rounds")
	flag.BoolVar(&p.short, "short", false, "no bars: only that it works")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := p.run(ctx, os.Stdout)
	stop()
	if err != nil {
		log.Fatal(err)
	}
}

// bench is what the rounds share.
type bench struct {
	plan
	count               count
	exe, home           string
	large, other, small account
}

// run measures every program and prints the figures.
func (p plan) run(ctx context.Context, to io.Writer) error {
	began := now()
	dir, err := os.MkdirTemp("", "screen")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // The system clears what is left.
	b := &bench{plan: p, exe: filepath.Join(p.bin, "cardtop"), home: dir, count: full()}
	if p.short {
		b.count = few()
	}
	for _, a := range []struct {
		account *account
		name    string
		cards   int
	}{{&b.large, "large", p.cards}, {&b.other, "other", p.cards}, {&b.small, "small", smallest}} {
		w, err := serve(ctx, b.exe, a.name, a.cards, p.transactions)
		if err != nil {
			return err
		}
		defer w.stop()
		*a.account = account{a.name, w}
	}
	all := []account{b.large, b.other, b.small}
	if err := errors.Join(configure(dir, all), fill(ctx, b.exe, dir, all)); err != nil {
		return err
	}
	programs, err := b.programs()
	if err != nil {
		return err
	}
	log.Printf("the accounts are cached after %s", now().Sub(began).Round(time.Second))
	measured, err := b.rounds(ctx, programs, began)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(to, "%d cards, %d transactions, %d rounds, 160x45\n\n", p.cards, p.transactions, p.rounds); err != nil {
		return err
	}
	return report(to, programs, measured, !p.short)
}

// rounds measures what only cardtop does, then cardtop, which stays open, and its peer
// in turn. It returns the figures of each program's rounds.
func (b *bench) rounds(ctx context.Context, programs []program, began time.Time) ([][]figures, error) {
	measured := make([][]figures, len(programs))
	for round := range b.plan.rounds {
		f := figures{}
		if err := b.alone(ctx, programs[0], f); err != nil {
			return nil, err
		}
		measured[0] = append(measured[0], f)
		log.Printf("start %d of %d after %s", round+1, b.plan.rounds, now().Sub(began).Round(time.Second))
	}
	open, err := b.resident(ctx, programs[0], measured[0][0])
	if err != nil {
		return nil, err
	}
	defer open.session.stop()
	log.Printf("everything is read after %s", now().Sub(began).Round(time.Second))
	for round := range b.plan.rounds {
		open.figures = measured[0][round]
		if err := open.measure(); err != nil {
			return nil, err
		}
		f := figures{}
		if err := measure(ctx, programs[1], b.large.server.names(), b.count, f); err != nil {
			return nil, err
		}
		measured[1] = append(measured[1], f)
		log.Printf("round %d of %d after %s", round+1, b.plan.rounds, now().Sub(began).Round(time.Second))
	}
	return measured, nil
}

// programs are cardtop and its peer.
func (b *bench) programs() ([]program, error) {
	file, all := filepath.Join(b.home, "rows.txt"), b.large.server.rows
	if err := writeRows(file, all); err != nil {
		return nil, err
	}
	return []program{cardtop(b.exe, b.home, b.large), fzf(b.bin, b.home, file, all[0][1])}, nil
}

// resident opens the program for all rounds, moves in it while it reads every card
// anew, as it does after a start, and waits until all of that is done: from then on it
// is what it is all day.
func (b *bench) resident(ctx context.Context, p program, f figures) (*run, error) {
	r, err := open(ctx, p, size{160, 45}, b.large.server.names(), b.count, figures{}, startMS)
	if err != nil {
		return nil, err
	}
	r.figures = figures{}
	if err = r.moves(); err == nil {
		f.add(readingMS, r.figures[moveMS]...)
		err = r.settle()
	}
	if err != nil {
		r.session.stop()
		return nil, err
	}
	return r, nil
}

// alone measures what only cardtop does: its start, a large screen, a small account,
// the live sandbox, the switch of the account, and its version.
func (b *bench) alone(ctx context.Context, p program, f figures) error {
	names := b.large.server.names()
	r, err := open(ctx, p, size{160, 45}, names, b.count, f, startMS)
	if err != nil {
		return err
	}
	r.session.stop()
	r, err = open(ctx, p, size{400, 100}, names, b.count, figures{}, startMS)
	if err != nil {
		return err
	}
	r.figures = figures{}
	err = r.moves()
	r.session.stop()
	if err != nil {
		return err
	}
	f.add(bigMoveMS, r.figures[moveMS]...)
	if r, err = open(ctx, cardtop(b.exe, b.home, b.small), size{160, 45}, b.small.server.names(), b.count, f, fewMS); err != nil {
		return err
	}
	err = r.rest("", "", fewMiB)
	r.session.stop()
	return errors.Join(err, b.live(ctx, f), switchAccounts(ctx, b.exe, b.home, b.large, b.other, b.count.switches, f), b.version(ctx, f))
}

// live leaves the program alone with the traffic of the default sandbox.
func (b *bench) live(ctx context.Context, f figures) error {
	s, err := start(ctx, size{160, 45}, environment(filepath.Join(b.home, "live")), b.exe, "--sandbox")
	if err != nil {
		return err
	}
	defer s.stop()
	if _, err := s.shows("1 Cards "); err != nil {
		return err
	}
	pause(b.count.past) // What a first start reads is not counted either.
	r := &run{session: s, count: b.count, figures: f}
	return r.rest(liveWakes, liveCPU, "")
}

// version times a command that only prints.
func (b *bench) version(ctx context.Context, f figures) error {
	for range 10 {
		s, err := start(ctx, size{160, 45}, environment(b.home), b.exe, "--version")
		if err != nil {
			return err
		}
		err = s.end()
		ended := now()
		s.stop()
		if err != nil {
			return err
		}
		f.add(versionMS, ms(ended.Sub(s.started)))
		pause(time.Millisecond)
	}
	return nil
}
