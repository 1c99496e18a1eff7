package main

import (
	"fmt"
	"math"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// figures are the measurements of one run.
type figures struct {
	start               time.Duration // to a full first screen
	key, jump, filter   []time.Duration
	bytes               []int
	lag                 time.Duration // after the last of the held keys
	perKey              time.Duration // CPU for each of the held keys
	idleCPU             float64       // percent of one core
	idleWakes, idleRate float64       // a second; bytes a second
	rss, peak           int
}

const (
	single = 200  // keys pressed one by one
	held   = 2000 // keys of the held one
	idle   = 10 * time.Second
)

// measure runs the program once. full is on its screen once every card is there.
func measure(cmd *exec.Cmd, w *server, full string) (f figures, err error) {
	s, err := start(cmd)
	if err != nil {
		return f, err
	}
	defer s.stop()
	// The screen is full when it shows a row of its lower half.
	at, err := s.shows(w.names[min(30, len(w.names)-1)])
	if err != nil {
		return f, err
	}
	f.start = at.Sub(s.started)
	if _, err = s.shows(full); err != nil {
		return f, err
	}
	s.quiet(300 * time.Millisecond)
	for _, step := range []func(*session, *server) error{f.single, f.ends, f.filters, f.hold, f.rest} {
		if err := step(s, w); err != nil {
			return f, err
		}
	}
	u, err := s.usage()
	f.rss, f.peak = u.rss, u.peak
	return f, err
}

func (f *figures) single(s *session, _ *server) error {
	for range single {
		d, n, err := s.press("j")
		if err != nil {
			return err
		}
		f.key, f.bytes = append(f.key, d), append(f.bytes, n)
	}
	return nil
}

func (f *figures) ends(s *session, _ *server) error {
	for range 10 {
		for _, key := range []string{"G", "g"} {
			d, _, err := s.press(key)
			if err != nil {
				return err
			}
			f.jump = append(f.jump, d)
		}
	}
	return nil
}

func (f *figures) filters(s *session, w *server) error {
	for range 5 {
		if _, _, err := s.press("/"); err != nil {
			return err
		}
		for _, letter := range "sn/la" {
			d, _, err := s.press(string(letter))
			if err != nil {
				return err
			}
			f.filter = append(f.filter, d)
		}
		if _, _, err := s.press("\x1b"); err != nil {
			return err
		}
		// Without a pause, escape and a letter are one key.
		pause(300 * time.Millisecond)
		if _, err := s.tty.WriteString("g"); err != nil {
			return err
		}
		pause(100 * time.Millisecond)
		s.quiet(100 * time.Millisecond)
	}
	_, err := s.shows(w.names[0])
	return err
}

// hold presses a key a thousand times a second and waits for the row where the
// cursor ends.
func (f *figures) hold(s *session, w *server) error {
	before, err := s.usage()
	if err != nil {
		return err
	}
	n := min(held, len(w.names)-1)
	const burst = 10
	for range n / burst {
		if _, err := s.tty.WriteString(strings.Repeat("j", burst)); err != nil {
			return err
		}
		pause(burst * time.Millisecond)
	}
	last := now()
	at, err := s.shows(w.names[n/burst*burst])
	if err != nil {
		return err
	}
	f.lag = max(0, at.Sub(last))
	after, err := s.usage()
	f.perKey = (after.cpu - before.cpu) / time.Duration(n)
	return err
}

func (f *figures) rest(s *session, _ *server) error {
	s.quiet(300 * time.Millisecond)
	before, err := s.usage()
	if err != nil {
		return err
	}
	bytes := s.written()
	pause(idle)
	after, err := s.usage()
	seconds := idle.Seconds()
	f.idleCPU = 100 * (after.cpu - before.cpu).Seconds() / seconds
	f.idleWakes = float64(after.wakes-before.wakes) / seconds
	f.idleRate = float64(s.written()-bytes) / seconds
	return err
}

func (s *session) written() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bytes
}

// quantile returns the value that a share q of the values does not exceed.
func quantile[T int | time.Duration | float64](all []T, q float64) T {
	if len(all) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(all))
	return sorted[min(len(sorted)-1, int(math.Ceil(q*float64(len(sorted))))-1)]
}

func ms(d time.Duration) string { return fmt.Sprintf("%.2f", float64(d)/float64(time.Millisecond)) }

func mib(n int) string { return fmt.Sprintf("%.0f", float64(n)/(1<<20)) }
