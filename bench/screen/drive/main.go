// Command drive measures cardtop on its real screen, side by side with the
// tables of bubbles and tview on the same cards: each program runs in a
// pseudo-terminal of 160x45, in alternating rounds, and all of them get the
// same keys.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

type program struct {
	name string
	// ready is on the screen once every row is there.
	ready string
	run   func() *exec.Cmd
}

func main() {
	log.SetFlags(0)
	bin := flag.String("bin", "", "folder of the built programs")
	counts := flag.String("cards", "1000,10000,100000", "numbers of cards")
	transactions := flag.Int("transactions", 1_000_000, "transactions on the server")
	rounds := flag.Int("rounds", 3, "rounds")
	flag.Parse()
	for count := range strings.SplitSeq(*counts, ",") {
		cards, err := strconv.Atoi(count)
		if err != nil {
			log.Fatal(err)
		}
		if err := compare(*bin, cards, *transactions, *rounds); err != nil {
			log.Fatal(err)
		}
	}
}

func compare(bin string, cards, transactions, rounds int) error {
	dir, err := os.MkdirTemp("", "screen")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	w, err := serve(filepath.Join(bin, "cardtop"), dir, cards, transactions)
	if err != nil {
		return err
	}
	defer w.stop()
	programs := candidates(bin, dir, w)
	if err := warm(programs[0]); err != nil {
		return err
	}
	all := make([][]figures, len(programs))
	for range rounds {
		for i, p := range programs {
			f, err := measure(p.run(), w.rows, p.ready)
			if err != nil {
				return err
			}
			all[i] = append(all[i], f)
		}
	}
	fmt.Printf("\n%d cards, %d transactions on the server, %d rounds\n\n", cards, transactions, rounds)
	report(programs, all)
	if cards > mostToTurn {
		return nil
	}
	took, err := turn(bin, dir, w)
	if err != nil {
		return err
	}
	fmt.Printf("\nfrom one profile to another, both kept from before: p50 %s ms, most %s ms of %d\n", ms(quantile(took, .5)), ms(quantile(took, 1)), len(took))
	return nil
}

// mostToTurn is how many cards are read twice to measure a turn between two profiles.
const mostToTurn = 10_000

// warm lets cardtop read every card once, so that its next start has them.
func warm(p program) error {
	s, err := start(p.run())
	if err != nil {
		return err
	}
	defer s.stop()
	if _, err := s.shows(p.ready); err != nil {
		return err
	}
	s.quiet(300 * time.Millisecond)
	if _, err := s.tty.WriteString("q"); err != nil {
		return err
	}
	_, err = s.until(func() bool { return s.ended != nil }, "its end")
	return err
}

func candidates(bin, dir string, w *world) []program {
	env := []string{"TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8", "PATH=" + os.Getenv("PATH")}
	cardtop := func() *exec.Cmd {
		cmd := exec.Command(filepath.Join(bin, "cardtop"))
		cmd.Env = append(env, "HOME="+dir, "XDG_CONFIG_HOME="+dir+"/config", "XDG_STATE_HOME="+dir+"/state", "XDG_CACHE_HOME="+dir+"/cache",
			"CARDTOP_BASE_URL="+w.address, "CARDTOP_API_KEY="+key)
		return cmd
	}
	peer := func(name string, args ...string) func() *exec.Cmd {
		return func() *exec.Cmd {
			cmd := exec.Command(filepath.Join(bin, name), append(args, w.file)...)
			cmd.Env = append(env, "HOME="+dir)
			return cmd
		}
	}
	first := w.rows[0][1]
	return []program{
		{"cardtop", fmt.Sprintf("1 Cards  %d ", len(w.rows)), cardtop},
		{"bubbles table", first, peer("bubbletable")},
		{"tview table, cells set", first, peer("tviewtable")},
		{"tview table, virtual", first, peer("tviewtable", "-virtual")},
	}
}

func report(programs []program, all [][]figures) {
	fmt.Println("| program | start ms | key → frame p50 ms (p99) | jump p50 ms | filter key p50 ms (p99) | bytes a move | 2,000 held keys: lag ms | CPU a held key ms | idle CPU % | wakes/s | bytes/s | RSS MiB (peak) |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|---|---|")
	for i, p := range programs {
		var sum figures
		var starts, lags, perKey []time.Duration
		var cpu, wakes, rate []float64
		var rss, peak []int
		for _, f := range all[i] {
			sum.key, sum.jump, sum.filter, sum.bytes = append(sum.key, f.key...), append(sum.jump, f.jump...), append(sum.filter, f.filter...), append(sum.bytes, f.bytes...)
			starts, lags, perKey = append(starts, f.start), append(lags, f.lag), append(perKey, f.perKey)
			cpu, wakes, rate = append(cpu, f.idleCPU), append(wakes, f.idleWakes), append(rate, f.idleRate)
			rss, peak = append(rss, f.rss), append(peak, f.peak)
		}
		fmt.Printf("| %s | %s | %s (%s) | %s | %s (%s) | %d | %s | %s | %.2f | %.0f | %.0f | %s (%s) |\n", p.name,
			ms(quantile(starts, .5)), ms(quantile(sum.key, .5)), ms(quantile(sum.key, .99)), ms(quantile(sum.jump, .5)),
			ms(quantile(sum.filter, .5)), ms(quantile(sum.filter, .99)), quantile(sum.bytes, .5), ms(quantile(lags, .5)), ms(quantile(perKey, .5)),
			quantile(cpu, .5), quantile(wakes, .5), quantile(rate, .5), mib(quantile(rss, .5)), mib(quantile(peak, .5)))
	}
}
