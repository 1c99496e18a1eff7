package main

import (
	"context"
	"fmt"
	"strings"
	"time"
)

const (
	query = "sn/la" // is typed into the filter
	burst = 10      // held keys come ten in ten milliseconds
)

// count says how often and how long each thing is done.
type count struct {
	steps         int // moves and scrolls, by twenties
	jumps         int // ends, homes, and twice as many pages
	searches      int
	held          int // keys
	settled, idle time.Duration
	past          time.Duration // how long the sandbox's past days are read at the first start
	switches      int           // to each of two accounts
}

// full is the count of a measurement. A program is idle some seconds after the last
// key: cardtop is quiet after five.
func full() count {
	return count{steps: 60, jumps: 10, searches: 6, held: 2000, settled: 8 * time.Second, past: 80 * time.Second, idle: 10 * time.Second, switches: 5}
}

// few is the count of a trial.
func few() count {
	return count{steps: 20, jumps: 1, searches: 1, held: 500, settled: time.Second / 2, past: time.Second / 2, idle: time.Second, switches: 1}
}

// run is one run of a program.
type run struct {
	program program
	session *session
	names   []string // of the rows in the order of the list
	count   count
	figures figures
}

// measure runs a program once on a screen of 160x45.
func measure(ctx context.Context, p program, names []string, c count, f figures) error {
	r, err := open(ctx, p, size{160, 45}, names, c, f, startMS)
	if err != nil {
		return err
	}
	defer r.session.stop()
	return r.measure()
}

// measure measures everything that is done to a program that runs.
func (r *run) measure() error {
	for _, step := range []func() error{r.top, r.moves, r.scrolls, r.pages, r.jumps, r.filters, r.hold} {
		if err := step(); err != nil {
			return err
		}
	}
	return r.rest(idleWakes, idleCPU, rssMiB)
}

// open starts a program, times its first full screen and waits until every row
// is there. A screen is full when it shows a row of its lower half.
func open(ctx context.Context, p program, at size, names []string, c count, f figures, first metric) (*run, error) {
	s, err := start(ctx, at, p.env, p.args...)
	if err != nil {
		return nil, err
	}
	shown, err := s.shows(names[min(30, len(names)-1)])
	if err == nil {
		f.add(first, ms(shown.Sub(s.started)))
		_, err = s.shows(p.ready)
	}
	if err != nil {
		s.stop()
		return nil, err
	}
	s.quiet(10 * silence)
	return &run{p, s, names, c, f}, nil
}

// moves moves the cursor up and down in the middle of the screen.
func (r *run) moves() error {
	if err := r.repeat(10, 10, r.program.keys.down, "", ""); err != nil {
		return err
	}
	return r.counted(moveCPU, r.count.steps, func() error {
		for range r.count.steps / 20 {
			if err := r.repeat(10, 1, r.program.keys.down, moveMS, moveBytes); err != nil {
				return err
			}
			if err := r.repeat(10, 1, r.program.keys.up, moveMS, moveBytes); err != nil {
				return err
			}
		}
		return nil
	})
}

// scrolls moves the cursor down at the lower edge of the list.
func (r *run) scrolls() error {
	if err := r.repeat(5, 10, r.program.keys.down, "", ""); err != nil {
		return err
	}
	return r.counted(scrollCPU, r.count.steps, func() error {
		return r.repeat(r.count.steps, 1, r.program.keys.down, scrollMS, scrollLen)
	})
}

func (r *run) pages() error { return r.repeat(2*r.count.jumps, 1, r.program.keys.page, pageMS, "") }

func (r *run) jumps() error {
	for range r.count.jumps {
		if err := r.repeat(1, 1, r.program.keys.last, jumpMS, ""); err != nil {
			return err
		}
		if err := r.repeat(1, 1, r.program.keys.first, jumpMS, ""); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) filters() error {
	k := r.program.keys
	for range r.count.searches {
		if k.search != "" {
			if err := r.repeat(1, 1, k.search, "", ""); err != nil {
				return err
			}
		}
		for _, letter := range query {
			if err := r.repeat(1, 1, string(letter), filterMS, ""); err != nil {
				return err
			}
		}
		if err := r.repeat(1, 1, k.clear, "", ""); err != nil {
			return err
		}
		pause(300 * time.Millisecond) // Without it, escape and a letter are one key.
	}
	return r.top()
}

// top moves to the first row. A program that is there already does not answer.
func (r *run) top() error {
	if err := r.session.send(r.program.keys.first); err != nil {
		return err
	}
	r.session.quiet(10 * silence)
	_, err := r.session.shows(r.names[0])
	return err
}

// settle waits until the program is idle: it has used less than three hundredths of a core
// for more than a minute, because the past is read with what is left of each minute's and hour's requests.
func (r *run) settle() error {
	pid := r.session.cmd.Process.Pid
	const span = 70 * time.Second
	for limit := now().Add(9 * patience); ; {
		before, err := usage(pid)
		if err != nil {
			return err
		}
		pause(span)
		after, err := usage(pid)
		if err != nil {
			return err
		}
		if cpu, _ := after.since(before); cpu <= 3*span/100 {
			// After ten minutes without a key the screen is covered, and the first key only shows it.
			err := r.session.send(r.program.keys.up)
			r.session.quiet(10 * silence)
			return err
		}
		if now().After(limit) {
			return fmt.Errorf("%s is never idle", r.program.name)
		}
	}
}

// hold types a thousand keys a second and times what is drawn after the last.
func (r *run) hold() error {
	n := min(r.count.held, len(r.names)-1) / burst * burst
	var last time.Time
	err := r.counted(heldCPU, n, func() error {
		for range n / burst {
			last = now()
			if err := r.session.send(strings.Repeat(r.program.keys.down, burst)); err != nil {
				return err
			}
			pause(burst * time.Millisecond)
		}
		r.session.quiet(silence)
		_, err := r.session.shows(r.names[n])
		return err
	})
	drawn, _ := r.session.quiet(silence)
	r.figures.add(lagMS, max(0, ms(drawn.Sub(last))))
	return err
}

// repeat types a key, or so many of them at once, and notes how long each answer
// took and its bytes.
func (r *run) repeat(n, together int, key string, took, bytes metric) error {
	end := answered
	if took == filterMS { // Some search beside what they draw.
		end = silence
	}
	for range n {
		d, b, err := r.session.press(strings.Repeat(key, together), end)
		if err != nil {
			return err
		}
		r.figures.add(took, ms(d))
		r.figures.add(bytes, float64(b))
	}
	return nil
}

// counted notes the CPU time of each of n keys.
func (r *run) counted(m metric, n int, do func() error) error {
	pid := r.session.cmd.Process.Pid
	before, err := usage(pid)
	if err != nil {
		return err
	}
	if err := do(); err != nil {
		return err
	}
	after, err := usage(pid)
	cpu, _ := after.since(before)
	r.figures.add(m, ms(cpu)/float64(n))
	return err
}

// rest leaves the program alone, and then notes what it does a second.
func (r *run) rest(wakes, cpu, rss metric) error {
	pause(r.count.settled)
	pid, seconds := r.session.cmd.Process.Pid, r.count.idle.Seconds()
	before, err := usage(pid)
	if err != nil {
		return err
	}
	_, written := r.session.quiet(0)
	pause(r.count.idle)
	u, err := usage(pid)
	if err != nil {
		return err
	}
	used, woke := u.since(before)
	r.figures.add(wakes, float64(woke)/seconds)
	r.figures.add(cpu, ms(used)/seconds)
	r.figures.add(rss, mib(u.rss))
	if wakes == idleWakes {
		_, more := r.session.quiet(0)
		r.figures.add(idleBytes, float64(more-written)/seconds)
		r.figures.add(peakMiB, mib(u.peak))
	}
	return nil
}
