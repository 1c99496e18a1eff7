package write

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/engine/act"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/errtext"
)

// progressEvery is how often progress is printed.
const progressEvery = time.Second

// progress prints how far a batch is, beside the output: on a terminal a bar that is drawn
// over, else lines.
type progress struct {
	errs  io.Writer
	now   func() time.Time
	draws bool // The writer is a terminal.
	said  string
	at    time.Time
	open  bool // A bar is on the line of the cursor.
}

// follow has the progress of what a configuration carries out printed, and what it tells
// below it. Its result ends the bar.
func (c *Command) follow(cfg *act.Config) (end func()) {
	p := &progress{errs: c.Output.Aside(c.Errs), now: c.Now, draws: cli.IsTerminal(c.Errs)}
	tell := cfg.Tell
	cfg.Progress = p.show
	cfg.Tell = func(text string) {
		p.end()
		tell(text)
	}
	return p.end
}

func (p *progress) show(b *state.Batch) {
	settled, all := b.Progress()
	p.print(settled, all, b.Phase == state.BatchOver)
}

func (p *progress) print(settled, all int, over bool) {
	text := fmt.Sprintf("%d of %s", settled, errtext.Plural(all, "card", "cards"))
	now := p.now()
	if text == p.said && (!over || !p.open) || !over && now.Sub(p.at) < progressEvery {
		return
	}
	p.said, p.at = text, now
	if !p.draws {
		_, _ = fmt.Fprintln(p.errs, text) // Nobody misses it.
		return
	}
	p.open = true
	_, _ = fmt.Fprintf(p.errs, "\r%s %s", bar(settled, all), text)
	if over {
		p.end()
	}
}

// end leaves the line of the bar.
func (p *progress) end() {
	if p.open {
		p.open = false
		_, _ = fmt.Fprintln(p.errs)
	}
}

// bar draws a part of all, full when nothing is left.
func bar(part, all int) string {
	const cells = 20
	full := cells
	if part < all {
		full = part * cells / all
	}
	return "[" + strings.Repeat("=", full) + strings.Repeat(" ", cells-full) + "]"
}
