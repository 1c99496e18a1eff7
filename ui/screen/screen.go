// Package screen brings frames to a terminal. It writes the cells that differ
// from what the terminal shows, at once and in one update, and sleeps while
// nothing changes.
//
// A frame is handed over and written beside the loop that drew it. Of frames
// that come faster than they can be written the newest counts, so a slow
// terminal holds nobody up and costs no memory.
package screen

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

const (
	// rest is how long frames of a burst are apart at least.
	rest = 8 * time.Millisecond
	// maxQueue bounds what waits to be written between frames, in bytes. The
	// largest is a clipboard's.
	maxQueue = 256 << 10
	// stopWithin bounds how long Stop waits for a terminal that takes nothing.
	stopWithin = time.Second
)

// ErrStuck says that a terminal took nothing for too long.
var ErrStuck = errors.New("the terminal does not answer")

// Frame is a picture of the whole screen.
type Frame struct {
	// Lines are text with SGR sequences. Any other sequence is left out.
	Lines         []string
	Width, Height int // cells
	// Mouse says that clicks are the program's.
	Mouse bool
	Title string
}

// Equal reports whether two frames look the same.
func (f Frame) Equal(g Frame) bool {
	return f.Width == g.Width && f.Height == g.Height && f.Mouse == g.Mouse && f.Title == g.Title && slices.Equal(f.Lines, g.Lines)
}

// Config is what a screen is made with.
type Config struct {
	Out io.Writer
	// Env returns the variables of the terminal's environment.
	Env func(string) string
	// Now is this machine's clock.
	Now func() time.Time
	// Cluster returns what is drawn for the first grapheme cluster of a text that is not empty, how many cells are kept for
	// it, and the bytes it took.
	Cluster func(s string) (text string, cells, n int)
	// NoScroll keeps from using the terminal's own scrolling.
	NoScroll bool
}

// Screen is safe for concurrent use. Run writes to the terminal, the others
// never wait for it.
type Screen struct {
	cfg    Config
	writer *writer // Run's own
	wake   chan struct{}

	mu     sync.Mutex
	state  state
	taken  bool          // the terminal was not given back yet
	done   chan struct{} // closed when Run has ended
	frame  Frame
	fresh  bool   // the frame is not written yet
	queue  []byte // to be written before it
	redraw bool   // what the terminal shows is not known
	synced bool   // the terminal knows synchronized updates
	// editing says that a line editor is behind the program.
	editing bool

	// What was written last; Run's own.
	mouse bool
	title string
	out   []byte
}

// state says whether the terminal is the screen's.
type state uint8

const (
	stopped state = iota
	running
	stopping
)

// New makes a screen. It writes nothing before Start and Run.
func New(cfg Config) *Screen {
	return &Screen{cfg: cfg, writer: newWriter(cfg.Cluster, cfg.NoScroll), wake: make(chan struct{}, 1)}
}

// Show hands over the next frame. The lines must not change afterwards.
func (s *Screen) Show(f Frame) {
	s.mu.Lock()
	s.frame, s.fresh = f, true
	s.mu.Unlock()
	s.rouse()
}

// Send hands over a sequence that is written between two frames. It reports
// whether there was room for it.
func (s *Screen) Send(seq string) bool {
	s.mu.Lock()
	room := s.state == running && len(s.queue)+len(seq) <= maxQueue
	if room {
		s.queue = append(s.queue, seq...)
	}
	s.mu.Unlock()
	s.rouse()
	return room
}

// Write sends bytes as Send does, for a program that writes to the terminal by
// itself. What there is no room for is an error.
func (s *Screen) Write(b []byte) (int, error) {
	if !s.Send(string(b)) {
		return 0, ErrStuck
	}
	return len(b), nil
}

// Redraw writes the frame anew as a whole: something else may have written to
// the terminal.
func (s *Screen) Redraw() {
	s.mu.Lock()
	s.redraw, s.fresh = true, s.fresh || s.frame.Width > 0
	s.mu.Unlock()
	s.rouse()
}

// Again sets the terminal up once more and writes the frame as a whole: others have had it meanwhile. It reports
// whether the terminal is the screen's, and is asked.
func (s *Screen) Again() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state != running {
		return false
	}
	s.setUp(end(s.editing)) // What was put onto a stack of the terminal's is taken from it first.
	return true
}

// setUp has the terminal set up behind a sequence, and the frame written as a whole.
func (s *Screen) setUp(behind string) {
	s.queue = append(append(s.queue[:0], behind...), begin(questions(s.cfg.Env))...)
	s.mouse, s.title, s.redraw, s.fresh = false, "", true, s.frame.Width > 0
	s.rouse()
}

// Report takes what the terminal answers about one of its modes. Updates are
// synchronized, and clusters measured as they are drawn, where it says that it
// can.
func (s *Screen) Report(r tea.ModeReportMsg) {
	switch r.Mode {
	case ansi.ModeSynchronizedOutput:
		s.mu.Lock()
		s.synced = r.Value == ansi.ModeReset || r.Value == ansi.ModeSet
		s.mu.Unlock()
	case ansi.ModeUnicodeCore:
		if r.Value == ansi.ModeReset {
			s.Send(ansi.SetModeUnicodeCore)
		}
	}
}

func (s *Screen) rouse() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Start makes the terminal the screen's from the next Run on, which is to
// follow. After Stop it may start again, from a blank screen. editing says that the editor of a command line is
// behind the program: it has pasted text marked, and goes on doing so.
func (s *Screen) Start(editing bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state != stopped {
		return errors.New("the screen has started already")
	}
	s.state, s.taken, s.editing, s.done = running, true, editing, make(chan struct{})
	s.setUp("")
	return nil
}

// Run writes to the terminal until Stop, or until it cannot be written to.
func (s *Screen) Run() error {
	defer func() {
		s.mu.Lock()
		s.state = stopped
		s.mu.Unlock()
		close(s.done)
	}()
	var written time.Time
	for range s.wake {
		if wait := rest - s.cfg.Now().Sub(written); wait > 0 && wait <= rest {
			<-time.After(wait)
		}
		b, last := s.take()
		if len(b) > 0 {
			if _, err := s.cfg.Out.Write(b); err != nil {
				return fmt.Errorf("write to the terminal: %w", err)
			}
			written = s.cfg.Now()
		}
		if last {
			s.gaveBack()
			return nil
		}
	}
	return nil
}

// take returns what is to be written now, and whether it is the last. The bytes
// are valid until the next call.
func (s *Screen) take() (b []byte, last bool) {
	s.mu.Lock()
	f, fresh, redraw, synced, editing := s.frame, s.fresh, s.redraw, s.synced, s.editing
	s.out = append(s.out[:0], s.queue...)
	last = s.state == stopping
	s.queue, s.fresh, s.redraw = s.queue[:0], false, false
	s.mu.Unlock()
	if last {
		s.out = append(s.out, end(editing)...)
		return s.out, true
	}
	if redraw {
		s.writer.forget()
	}
	if !fresh {
		return s.out, false
	}
	s.out = append(s.out, s.modes(f)...)
	cells := s.writer.frame(f.Lines, f.Width, f.Height)
	switch {
	case len(cells) == 0:
	case synced:
		s.out = append(s.out, ansi.SetModeSynchronizedOutput...)
		s.out = append(s.out, cells...)
		s.out = append(s.out, ansi.ResetModeSynchronizedOutput...)
	default:
		s.out = append(s.out, cells...)
	}
	return s.out, false
}

// modes returns what brings the terminal's modes to those of a frame.
func (s *Screen) modes(f Frame) string {
	seq := ""
	if f.Mouse != s.mouse {
		seq += mouse(f.Mouse)
	}
	if f.Title != s.title {
		seq += title(f.Title)
	}
	s.mouse, s.title = f.Mouse, f.Title
	return seq
}

// gaveBack notes that the terminal is as it was before Start. What was written is
// overwritten: a process that shows several screens goes on.
func (s *Screen) gaveBack() {
	s.mu.Lock()
	s.taken = false
	clear(s.queue[:cap(s.queue)])
	clear(s.out[:cap(s.out)])
	s.mu.Unlock()
}

// Stop restores the terminal and ends Run, or restores it after a Run that crashed. Of frames that wait none is
// written any more. A terminal that takes nothing is given up on.
func (s *Screen) Stop() error {
	limit := time.NewTimer(stopWithin)
	defer limit.Stop()
	s.mu.Lock()
	running, done, editing := s.state != stopped, s.done, s.editing
	if running {
		s.state = stopping
	}
	s.mu.Unlock()
	if running {
		s.rouse()
		select {
		case <-done:
		case <-limit.C:
			return ErrStuck
		}
	}
	s.mu.Lock()
	taken := s.taken
	s.mu.Unlock()
	if !taken {
		return nil
	}
	select {
	case <-s.end(editing):
		return nil
	case <-limit.C:
		return ErrStuck
	}
}

// Confirm asks the terminal what every terminal answers, behind all that was written to it.
func (s *Screen) Confirm() error {
	_, err := io.WriteString(s.cfg.Out, ansi.RequestPrimaryDeviceAttributes)
	return err
}

// end restores the terminal after a Run that ended without.
func (s *Screen) end(editing bool) (done chan struct{}) {
	done = make(chan struct{})
	go func() {
		defer close(done)
		if _, err := io.WriteString(s.cfg.Out, end(editing)); err == nil {
			s.gaveBack()
		}
	}()
	return done
}

// leastScroll is how many rows have to move for scrolling to pay: each spares
// the cells of a line, and the sequences cost as much as a few.
const leastScroll = 4

// scroll finds rows that stand a little higher or lower in a frame than on the
// screen, lets the terminal move them, and notes that they are there.
func (w *writer) scroll(lines []string) {
	top, bottom, n := w.moved(lines)
	if n == 0 {
		return
	}
	w.style(0) // What comes in is in the pen's ground.
	w.b = append(w.b, "\x1b["...)
	w.b = strconv.AppendInt(w.b, int64(top+1), 10)
	w.b = append(w.b, ';')
	w.b = strconv.AppendInt(w.b, int64(bottom), 10)
	w.b = append(w.b, "r\x1b["...)
	final, by := byte('S'), n
	if n < 0 {
		final, by = 'T', -n
	}
	if by > 1 {
		w.b = strconv.AppendInt(w.b, int64(by), 10)
	}
	w.b = append(w.b, final)
	w.b = append(w.b, "\x1b[r"...)
	w.x = -1 // Setting the region moves the cursor.
	w.shown.shift(top, bottom, n)
}

// moved returns the longest run of rows that the frame shows n rows higher
// than the screen does (lower for a negative n), as the region from top to
// bottom that the terminal would move; n is 0 when none is worth it.
func (w *writer) moved(lines []string) (top, bottom, n int) {
	shown, h := w.shown.lines, min(len(lines), w.shown.h)
	changed := 0
	for y, line := range lines[:h] {
		if shown[y] != line {
			changed++
		}
	}
	if changed < leastScroll {
		return 0, 0, 0
	}
	clear(w.places)
	for y, line := range shown {
		if _, twice := w.places[line]; twice || line == "" {
			y = -1
		}
		w.places[line] = y
	}
	best := leastScroll - 1
	for y := 0; y < h; y++ {
		from, ok := w.places[lines[y]]
		if !ok || from < 0 || from == y || shown[y] == lines[y] {
			continue
		}
		by, run := from-y, 1
		for y+run < h && y+run+by < w.shown.h && lines[y+run] == shown[y+run+by] && lines[y+run] != shown[y+run] {
			run++
		}
		if run > best {
			best, n = run, by
			top, bottom = min(y, from), max(y, from)+run
		}
		y += run - 1
	}
	return top, bottom, n
}

// grid is what a terminal shows. A new one is blank.
type grid struct {
	w, h  int
	cells []cell
	lines []string // what the rows were read from
	// carets are where the rows have the caret; -1 where they have none.
	carets []int
}

func newGrid(w, h int) *grid {
	g := &grid{w: w, h: h, cells: make([]cell, w*h), lines: make([]string, h), carets: make([]int, h)}
	for y := range g.carets {
		g.carets[y] = -1
	}
	for i := range g.cells {
		g.cells[i] = blank
	}
	return g
}

func (g *grid) row(y int) []cell { return g.cells[y*g.w : (y+1)*g.w] }

// shift moves the rows from top to bottom, the last not included, up by n or
// down by -n; rows that come in are blank.
func (g *grid) shift(top, bottom, n int) {
	move := func(y, from int) {
		if from < top || from >= bottom {
			row := g.row(y)
			for x := range row {
				row[x] = blank
			}
			g.lines[y], g.carets[y] = "", -1
			return
		}
		copy(g.row(y), g.row(from))
		g.lines[y], g.carets[y] = g.lines[from], g.carets[from]
	}
	if n > 0 {
		for y := top; y < bottom; y++ {
			move(y, y+n)
		}
		return
	}
	for y := bottom - 1; y >= top; y-- {
		move(y, y+n)
	}
}
