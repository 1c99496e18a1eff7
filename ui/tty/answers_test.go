package tty

import (
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/ui/screen"
	"github.com/cardtop/cardtop/ui/widget"
)

// quitter ends with q.
type quitter struct{ dark, light *int }

func (quitter) Init() tea.Cmd  { return nil }
func (quitter) View() tea.View { return tea.View{} }

func (q quitter) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		if msg.String() == "q" {
			return q, tea.Quit
		}
	case tea.BackgroundColorMsg:
		if msg.IsDark() {
			*q.dark++
		} else {
			*q.light++
		}
	}
	return q, nil
}

// screenRests is the time between two frames.
const screenRests = 10 * time.Millisecond

// answered is what a terminal answers at the start.
const answered = "\x1b]11;rgb:1c1c/1c1c/1c1c\x1b\\\x1b[?0u\x1b[?2026;2$y\x1b[?62;22c"

// TestTheProgramStaysUntilTheTerminalHasAnswered, at most a second, and keeps what is typed behind its end: an answer
// that comes later is typed to the shell.
func TestTheProgramStaysUntilTheTerminalHasAnswered(t *testing.T) {
	for _, tt := range []struct {
		name         string
		before, late string // what the terminal sends before q and 300 ms after it
		ends         time.Duration
		typed        string
	}{
		{"answered before", answered, "", 0, ""},
		{"late", "", answered, 300 * time.Millisecond, "ls\r"},
		{"late, with keys between", "", "l" + answered, 300 * time.Millisecond, "ls\rl"},
		{"never", "", "", time.Second, "ls\r"},
		{"wrong", "", "\x1b]11;what\x07", time.Second, "ls\r"},
		{"twice", answered + answered, "", 0, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				in, keys := io.Pipe()
				write := func(s string) {
					if _, err := io.WriteString(keys, s); s != "" && err != nil {
						t.Error(err)
					}
				}
				dark, light := 0, 0
				asked := time.Time{}
				p, err := New(quitter{&dark, &light}, time.Now, Device{In: in, Out: &late{say: write}, Env: []string{"TERM=xterm"}, Width: 80, Height: 24}, func(tea.Model) { asked = time.Now() }) //nolint:forbidigo // virtual time
				must(t, err)
				ended := make(chan time.Time)
				go func() {
					if err := p.Run(); err != nil {
						t.Error(err)
					}
					ended <- time.Now() //nolint:forbidigo // virtual time
				}()
				start := time.Now() //nolint:forbidigo // virtual time
				write(tt.before)
				synctest.Wait()
				write("q")
				synctest.Wait()
				if tt.ends > 0 {
					write("ls\r")
					time.Sleep(300 * time.Millisecond) //nolint:forbidigo // virtual time
					write(tt.late)
				}
				if took := (<-ended).Sub(start).Truncate(screenRests); took != tt.ends || !asked.Equal(start) {
					t.Errorf("it ended after %s, want %s; asked to after %s", took, tt.ends, asked.Sub(start))
				}
				if got := string(p.Session.answers.typed); got != tt.typed {
					t.Errorf("typed behind the end: %q, want %q", got, tt.typed)
				}
				_, _ = in.Close(), keys.Close()
			})
		})
	}
}

// late is a terminal behind a line that is slow in both ways. What it sends before it takes that the program is over is
// in the form of the program.
type late struct {
	mu   sync.Mutex
	out  strings.Builder
	slow time.Duration
	sent string
	say  func(string)
}

func (l *late) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out.String()
}

func (l *late) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.out.Write(b)
	over := strings.Contains(l.out.String(), "\x1b[?1049l")
	if over && strings.HasSuffix(l.out.String(), "\x1b[c") {
		go func() {
			time.Sleep(l.slow) //nolint:forbidigo // virtual time
			l.say(l.sent)
			time.Sleep(l.slow) //nolint:forbidigo // virtual time
			l.say("\x1b[?62;22c")
		}()
	}
	return len(b), nil
}

// shown is a program on a terminal that is played.
type shown struct {
	*Program
	t     *testing.T
	in    *io.PipeReader
	keys  *io.PipeWriter
	ended chan error
}

// show runs a program, to which the terminal says something first. It is called in a bubble.
func show(t *testing.T, out *late, first string) *shown {
	t.Helper()
	s := &shown{t: t, ended: make(chan error)}
	s.in, s.keys = io.Pipe()
	out.say = s.say
	var err error
	s.Program, err = New(quitter{new(int), new(int)}, time.Now, Device{In: s.in, Out: out, Env: []string{"TERM=xterm"}, Width: 80, Height: 24}, nil) //nolint:forbidigo // virtual time
	must(t, err)
	go func() { s.ended <- s.Run() }()
	s.say(first + " ")
	synctest.Wait()
	return s
}

func (s *shown) say(keys string) {
	if _, err := io.WriteString(s.keys, keys); err != nil {
		s.t.Error(err)
	}
}

// end ends the program, and returns how long that took.
func (s *shown) end() time.Duration {
	start := time.Now() //nolint:forbidigo // virtual time
	s.Quit()
	if err := <-s.ended; err != nil {
		s.t.Error(err)
	}
	_, _ = s.in.Close(), s.keys.Close()
	return time.Since(start).Truncate(screenRests) //nolint:forbidigo // virtual time
}

// TestNothingReachesTheShellInTheFormOfTheProgram: the terminal sends keys that way until it takes that the program is
// over. One that has never answered is not waited for longer than for the first answer.
func TestNothingReachesTheShellInTheFormOfTheProgram(t *testing.T) {
	const slow = 75 * time.Millisecond
	for first, want := range map[string]struct {
		typed string
		took  time.Duration
	}{answered: {"\x12ls\r", 2 * slow}, "": {"", answerWithin}} {
		synctest.Test(t, func(t *testing.T) {
			s := show(t, &late{slow: slow, sent: "\x1b[114;5u\x1b[<65;38;18Mls\r"}, first) // ctrl and r, a turn of the wheel, a command
			took := s.end()
			if got := string(s.Session.answers.behind()); got != want.typed || took != want.took {
				t.Errorf("the shell gets %q after %s, want %q after %s", got, took, want.typed, want.took)
			}
		})
	}
}

// TestNobodyIsAskedWhenNobodyReads: the answer would be the shell's.
func TestNobodyIsAskedWhenNobodyReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &late{}
		s := show(t, out, answered)
		_ = s.keys.Close() // Nothing is typed any more.
		synctest.Wait()
		if took := s.end(); took >= answerWithin {
			t.Errorf("it ended after %s", took)
		}
		if n := strings.Count(out.text(), "\x1b[c"); n != 1 {
			t.Errorf("it was asked %d times", n)
		}
	})
}

// TestTheBackgroundIsAskedForAgain where the terminal has answered: not every one says by itself that it has become light.
// The program stays until the answer is here.
func TestTheBackgroundIsAskedForAgain(t *testing.T) {
	for first, want := range map[string]int{answered: 2, "": 1} {
		synctest.Test(t, func(t *testing.T) {
			out := &late{}
			s := show(t, out, first)
			time.Sleep(2 * answerWithin) //nolint:forbidigo // virtual time
			s.Session.RequestBackground()
			s.Session.RequestBackground() // It is asked already.
			synctest.Wait()
			if owes := s.Session.answers.owing() != nil; owes != (want == 2) {
				t.Errorf("after %q it owes an answer: %v", first, owes)
			}
			s.end()
			if n := strings.Count(out.text(), "\x1b]11;?"); n != want {
				t.Errorf("after %q it was asked %d times, want %d", first, n, want)
			}
		})
	}
}

// TestNobodyWaitsForAProgramThatHasEnded: keys typed behind its end keep nothing of it in memory.
func TestNobodyWaitsForAProgramThatHasEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // It fails when a goroutine is left.
		in, keys := io.Pipe()
		p, err := New(quitter{new(int), new(int)}, time.Now, Device{In: in, Out: io.Discard, Env: []string{"TERM=xterm"}, Width: 80, Height: 24}, nil) //nolint:forbidigo // virtual time
		must(t, err)
		go func() {
			if _, err := io.WriteString(keys, answered+"q"+strings.Repeat("j", 999)); err != nil {
				t.Error(err)
			}
			_ = keys.Close()
		}()
		must(t, p.Run())
	})
}

// TestNoAnswerIsTakenForKeys, right, wrong or of something that was not asked, however it is cut: what is typed around it
// is all that is typed.
func TestNoAnswerIsTakenForKeys(t *testing.T) {
	for what, answers := range map[string][]string{
		"what it is":       {"\x1b[?62;22c", "\x1b[?6c", "\x1b[?1;2c", "\x1b[>41;370;0c", "\x1bP!|00000000\x1b\\", "\x1bP>|foot(1.16.2)\x1b\\", "\x1b[?c"},
		"its keyboard":     {"\x1b[?0u", "\x1b[?5u", "\x1b[?u", "\x1b[>4;2m", "\x1b[>4m"},
		"its background":   {"\x1b]11;rgb:1c1c/1c1c/1c1c\x1b\\", "\x1b]11;rgb:1c/1c/1c\x07", "\x1b]11;rgba:ffff/ffff/ffff/ffff\x07", "\x1b]11;#1c1c1c\x07", "\x1b]11;what\x07", "\x1b]11;?\x07", "\x1b]11;\x1b\\", "\x1b]10;rgb:0/0/0\x07"},
		"its modes":        {"\x1b[?2026;2$y", "\x1b[?2027;0$y", "\x1b[?2031;4$y", "\x1b[?2048;1$y", "\x1b[?2026;$y", "\x1b[?2026$y"},
		"light or dark":    {"\x1b[?997;1n", "\x1b[?997;2n", "\x1b[?997;0n", "\x1b[?997n", "\x1b[0n"},
		"its size":         {"\x1b[48;24;80;480;800t", "\x1b[48;24:1;80:2;480;800t", "\x1b[8;24;80t", "\x1b[4;480;800t", "\x1b[48t"},
		"what it can":      {"\x1bP1+r524742=38\x1b\\", "\x1bP0+r\x1b\\", "\x1bP0$r\x1b\\", "\x1b_Gi=1;OK\x1b\\", "\x1b[?1;0;256S", "\x1b]52;c;aGk=\x07", "\x1b]4;1;rgb:0/0/0\x07"},
		"the end or begin": {"\x1b[I", "\x1b[O"},
	} {
		for _, a := range answers {
			for from, parts := range map[string][]string{
				"at once": {"j" + a + "k"}, "twice": {"j", a + a, "k"}, "by byte": append(strings.Split("j"+a, ""), "k"),
			} {
				if got := typed(t, parts...); !slices.Equal(got, []string{"j", "k"}) {
					t.Errorf("%s, %q %s: typed %q", what, a, from, got)
				}
			}
		}
	}
}

// TestLightAndDarkAreFollowed while the program runs, and known from the environment before the terminal says more.
func TestLightAndDarkAreFollowed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, keys := io.Pipe()
		dark, light := 0, 0
		p, err := New(quitter{&dark, &light}, time.Now, Device{In: in, Out: io.Discard, Env: []string{"COLORFGBG=0;default;15"}, Width: 80, Height: 24}, nil) //nolint:forbidigo // virtual time
		must(t, err)
		if !p.Light {
			t.Error("COLORFGBG says light")
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			_ = p.Run()
		}()
		if _, err := io.WriteString(keys, "\x1b[?997;2n\x1b[?997;1n\x1b[?997;1nq"); err != nil {
			t.Fatal(err)
		}
		<-done
		if dark != 2 || light != 1 {
			t.Errorf("%d times dark, %d light", dark, light)
		}
		_, _ = in.Close(), keys.Close()
	})
}

func TestTheEndLeavesPastedTextMarkedForALineEditor(t *testing.T) {
	for _, editing := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			var out strings.Builder
			s := screen.New(screen.Config{Out: &out, Env: func(string) string { return "" }, Now: time.Now, Cluster: widget.Cluster}) //nolint:forbidigo // virtual time
			must(t, s.Start(editing))
			go func() { _ = s.Run() }()
			must(t, s.Stop())
			if off := strings.Contains(out.String(), "\x1b[?2004l"); off == editing {
				t.Errorf("editing %v: turned off %v", editing, off)
			}
		})
	}
}

// TestAnEscapeBehindAKeyIsNotHeldBack: alt and a bracket are the beginning of a string as well.
func TestAnEscapeBehindAKeyIsNotHeldBack(t *testing.T) {
	if got := typed(t, "\x1b]", "", "", "", "", "", "", "", "", "", "", "", "\x1b"); !slices.Equal(got, []string{"alt+]", "esc"}) {
		t.Errorf("typed %q", got)
	}
}

// TestTwoQuestionsTakeTwoAnswers, and whoever waits for the first is released when both are over.
func TestTwoQuestionsTakeTwoAnswers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var a answers
		a.asked()
		waits := a.owing()
		a.asked() // As when the program goes on after a stop.
		a.came()
		if a.owing() == nil {
			t.Error("nothing is owed after one of two answers")
		}
		a.came()
		<-waits
		a.asked()
		waits = a.owing()
		<-time.After(answerWithin / 2)
		a.asked()
		<-time.After(answerWithin - time.Millisecond)
		synctest.Wait()
		if a.owing() == nil {
			t.Error("the second question has no time of its own")
		}
		<-waits // A terminal that answers nothing holds nobody up.
		a.came()
		if a.n != 0 {
			t.Errorf("%d answers are owed", a.n)
		}
	})
}

// TestAnArrowBehindTheEndIsTheShells as a plain terminal tells it: ctrl+z, up and enter run the last command again.
func TestAnArrowBehindTheEndIsTheShells(t *testing.T) {
	t.Parallel()
	for code, want := range map[rune]string{tea.KeyUp: "\x1b[A", tea.KeyDown: "\x1b[B", tea.KeyRight: "\x1b[C", tea.KeyLeft: "\x1b[D", tea.KeyEnter: "\r", tea.KeyF5: "", tea.KeyBegin: ""} {
		if got := typedAs(tea.Key{Code: code}); got != want {
			t.Errorf("%v: %q, want %q", code, got, want)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
