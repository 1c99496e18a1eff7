// Command screen measures the built program on its real screen: in a
// pseudo-terminal of 160x45, on a sandbox with many cards and transactions.
//
//	bench/screen.sh [-cards 1000,10000,100000] [-transactions N] [-rounds N]
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

func main() {
	log.SetFlags(0)
	exe := flag.String("exe", "", "the built program")
	counts := flag.String("cards", "1000,10000,100000", "numbers of cards")
	transactions := flag.Int("transactions", 1_000_000, "transactions on the server")
	rounds := flag.Int("rounds", 3, "rounds")
	flag.Parse()
	for count := range strings.SplitSeq(*counts, ",") {
		cards, err := strconv.Atoi(count)
		if err == nil {
			err = run(os.Stdout, *exe, cards, *transactions, *rounds)
		}
		if err != nil {
			log.Fatal(err)
		}
	}
}

// run measures the program on one server and prints the figures.
func run(to io.Writer, exe string, cards, transactions, rounds int) error {
	dir, err := os.MkdirTemp("", "screen")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // The system clears what is left.
	w, err := serve(exe, cards, transactions)
	if err != nil {
		return err
	}
	defer w.stop()
	program := func() *exec.Cmd {
		cmd := command(exe, dir)
		cmd.Env = append(cmd.Env, "CARDTOP_BASE_URL="+w.address, "CARDTOP_API_KEY="+key)
		return cmd
	}
	full := fmt.Sprintf("1 Cards  %d ", len(w.names))
	if err := fillCache(program(), full); err != nil {
		return err
	}
	var all []figures
	for range rounds {
		f, err := measure(program(), w, full)
		if err != nil {
			return err
		}
		all = append(all, f)
	}
	report(to, all, cards, transactions)
	if cards > mostToSwitch {
		return nil
	}
	took, err := switchAccounts(exe, filepath.Join(dir, "switch"), w)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(to, "\nfrom one account to another, both cached: p50 %s ms, most %s ms of %d\n",
		ms(quantile(took, .5)), ms(quantile(took, 1)), len(took))
	return err
}

// mostToSwitch is the largest account whose switching is measured: with more
// cards it takes what a start takes.
const mostToSwitch = 10_000

// command runs the program with folders of its own.
func command(exe, home string) *exec.Cmd {
	cmd := exec.Command(exe) //nolint:noctx // The caller's program, stopped by its session.
	cmd.Env = []string{
		"TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8", "PATH=" + os.Getenv("PATH"), "HOME=" + home,
		"XDG_CONFIG_HOME=" + home + "/config", "XDG_STATE_HOME=" + home + "/state", "XDG_CACHE_HOME=" + home + "/cache",
	}
	return cmd
}

// fillCache runs the program until it has read every card, so that its next
// start has them.
func fillCache(cmd *exec.Cmd, full string) error {
	s, err := start(cmd)
	if err != nil {
		return err
	}
	defer s.stop()
	if _, err := s.shows(full); err != nil {
		return err
	}
	s.quiet(300 * time.Millisecond)
	if _, err := s.tty.WriteString("q"); err != nil {
		return err
	}
	_, err = s.until(func() bool { return s.ended != nil }, "its end")
	return err
}

func report(to io.Writer, all []figures, cards, transactions int) {
	var sum figures
	var starts, lags, perKey []time.Duration
	var cpu, wakes, rate []float64
	var rss, peak []int
	for _, f := range all {
		sum.key, sum.jump, sum.filter, sum.bytes = append(sum.key, f.key...), append(sum.jump, f.jump...), append(sum.filter, f.filter...), append(sum.bytes, f.bytes...)
		starts, lags, perKey = append(starts, f.start), append(lags, f.lag), append(perKey, f.perKey)
		cpu, wakes, rate = append(cpu, f.idleCPU), append(wakes, f.idleWakes), append(rate, f.idleRate)
		rss, peak = append(rss, f.rss), append(peak, f.peak)
	}
	_, _ = fmt.Fprintf(to, "\n%d cards, %d transactions on the server, %d rounds\n\n", cards, transactions, len(all))
	for _, row := range [][2]string{
		{"start ms", ms(quantile(starts, .5))},
		{"key to frame p50 ms (p99)", ms(quantile(sum.key, .5)) + " (" + ms(quantile(sum.key, .99)) + ")"},
		{"jump p50 ms", ms(quantile(sum.jump, .5))},
		{"filter key p50 ms (p99)", ms(quantile(sum.filter, .5)) + " (" + ms(quantile(sum.filter, .99)) + ")"},
		{"bytes a move", fmt.Sprint(quantile(sum.bytes, .5))},
		{"lag after a held key, ms", ms(quantile(lags, .5))},
		{"CPU a held key, ms", ms(quantile(perKey, .5))},
		{"idle CPU %", fmt.Sprintf("%.2f", quantile(cpu, .5))},
		{"idle wakes/s", fmt.Sprintf("%.0f", quantile(wakes, .5))},
		{"idle bytes/s", fmt.Sprintf("%.0f", quantile(rate, .5))},
		{"RSS MiB (peak)", mib(quantile(rss, .5)) + " (" + mib(quantile(peak, .5)) + ")"},
	} {
		_, _ = fmt.Fprintf(to, "| %-26s| %14s |\n", row[0], row[1]) // Printing to a terminal.
	}
}
