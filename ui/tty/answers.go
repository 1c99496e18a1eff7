package tty

import (
	"image/color"
	"io"
	"sync"
	"time"
	"unicode"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
)

// answerWithin is how long a terminal may take to answer what it was asked at the start.
const answerWithin = time.Second

// answers are what the terminal still owes. One that came after the program would be typed to the shell, so the
// program stays until the last one is here: every terminal answers what is asked last. One that answers nothing
// holds nobody up after answerWithin.
type answers struct {
	mu     sync.Mutex
	owed   chan struct{} // closed when all are here; nil when nothing was asked
	n      int           // of the questions that are not answered
	ends   *time.Timer
	handed []tea.Key // to the program, which has not taken them
	// answered reports whether the terminal has ever answered, reading whether our own reader hands on what it sends,
	// parts that the terminal is being given back: what it sends is not the program's, which may have ended.
	answered, reading, parts bool

	typed []byte // The keys that are not the program's.

	quits bool // Whether the program is to end; its loop's own.
}

// begin notes that the terminal is the program's, which asks it now.
func (a *answers) begin() {
	a.mu.Lock()
	a.parts, a.typed = false, nil
	a.mu.Unlock()
	a.asked()
}

// leave notes that what is typed from now on is the shell's.
func (a *answers) leave() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.parts = true
}

// others reports whether what is typed is not the program's: it is to end, or to leave.
func (a *answers) others() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.quits || a.parts
}

// asked notes that the terminal was asked, now.
func (a *answers) asked() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.owed == nil {
		a.owed = make(chan struct{})
	} else {
		a.ends.Stop()
	}
	owed := a.owed
	a.n++
	a.ends = time.AfterFunc(answerWithin, func() { a.here(owed) })
}

// mayAsk reports whether the terminal is asked once more at the end: one that has answered does so again. What it sends
// from now on is not the program's.
func (a *answers) mayAsk() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.parts = true
	return a.answered && a.reading
}

// reads reports whether our own reader reads.
func (a *answers) reads() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.reading
}

// setReading notes that our own reader reads from now on, or no more: then there is nobody to answer to.
func (a *answers) setReading(on bool) {
	a.mu.Lock()
	a.reading = on
	a.mu.Unlock()
	if !on {
		a.over()
	}
}

// over notes that nothing is owed any more.
func (a *answers) over() {
	a.mu.Lock()
	owed := a.owed
	a.mu.Unlock()
	a.here(owed)
}

// mayOwe reports whether the terminal may be asked while the program runs: it has answered before, and owes nothing.
func (a *answers) mayOwe() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.answered && a.owed == nil
}

// came notes that the terminal has answered a question.
func (a *answers) came() {
	a.mu.Lock()
	a.answered = true
	a.n = max(0, a.n-1)
	more := a.n > 0
	a.mu.Unlock()
	if !more {
		a.over()
	}
}

func (a *answers) here(owed chan struct{}) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if owed != nil && a.owed == owed {
		close(owed)
		a.ends.Stop()
		a.owed, a.n = nil, 0
	}
}

// owing returns what is closed when nothing is owed any more; nil where nothing is.
func (a *answers) owing() <-chan struct{} {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.owed
}

// wait returns when nothing is owed.
func (a *answers) wait() {
	if owed := a.owing(); owed != nil {
		<-owed
	}
}

// filter holds the end of the program back while an answer is owed, and keeps what is typed meanwhile. ending is
// called when the end is asked for.
func (a *answers) filter(ending func(tea.Model), quit func()) func(tea.Model, tea.Msg) tea.Msg {
	return func(m tea.Model, msg tea.Msg) tea.Msg {
		switch msg := msg.(type) {
		case uv.PrimaryDeviceAttributesEvent:
			if !a.reads() { // The library does.
				a.came()
			}
			return nil
		case uv.DarkColorSchemeEvent:
			return tea.BackgroundColorMsg{Color: color.Black}
		case uv.LightColorSchemeEvent:
			return tea.BackgroundColorMsg{Color: color.White}
		case tea.QuitMsg:
			if !a.quits && ending != nil {
				ending(m)
			}
			owed := a.owing()
			if owed == nil {
				return msg
			}
			if !a.quits {
				a.quits = true
				go func() {
					<-owed
					quit()
				}()
			}
			return nil
		case tea.KeyPressMsg:
			if a.takes(msg.Key()) {
				return byPrint(msg)
			}
			return nil
		case tea.PasteMsg, tea.MouseMsg:
			if a.others() {
				return nil
			}
		}
		return msg
	}
}

// hand notes what the program is handed: keys, and once it has ended the last answer.
func (a *answers) hand(e uv.Event) {
	a.mu.Lock()
	if k, ok := e.(uv.KeyPressEvent); ok {
		a.handed = append(a.handed, tea.Key(k))
	}
	a.mu.Unlock()
	if _, last := e.(uv.PrimaryDeviceAttributesEvent); last {
		a.came()
	}
}

// takes notes that the program has the first key of those that it was handed, and reports whether it is the program's.
// Others are kept.
func (a *answers) takes(k tea.Key) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.handed) > 0 {
		a.handed = a.handed[1:]
	}
	own := !a.quits && !a.parts
	if !own {
		a.typed = append(a.typed, typedAs(k)...)
	}
	return own
}

// behind returns what was typed behind the end of the program, which is over or stands still.
func (a *answers) behind() []byte {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, k := range a.handed {
		a.typed = append(a.typed, typedAs(k)...)
	}
	a.handed = nil
	return a.typed
}

// byPrint has a key count by the Latin letter on it, whatever key of the US layout it is: ctrl and z of a German
// keyboard is ctrl+z. The library takes the key itself where the terminal tells it, which is right for other letters
// but for what they type. A caps lock makes no other key of one with ctrl or alt.
func byPrint(msg tea.KeyPressMsg) tea.KeyPressMsg {
	if msg.Mod&^(tea.ModCapsLock|tea.ModNumLock|tea.ModScrollLock) == tea.ModCtrl {
		switch msg.Code { // These are the same key where a terminal does not tell them apart.
		case '[':
			return tea.KeyPressMsg{Code: tea.KeyEscape}
		case 'm':
			return tea.KeyPressMsg{Code: tea.KeyEnter}
		case 'i':
			return tea.KeyPressMsg{Code: tea.KeyTab}
		}
	}
	letter := unicode.IsLetter(msg.Code)
	switch {
	case letter && msg.Text == "":
		msg.Code = unicode.ToLower(msg.Code)
	case letter && msg.BaseCode != 0 && msg.Mod.Contains(tea.ModShift) != msg.Mod.Contains(tea.ModCapsLock):
		msg.Text = string(unicode.ToUpper(msg.Code))
	case letter && msg.BaseCode != 0:
		msg.Text = string(msg.Code)
	}
	if msg.Code > 0 && msg.Code < 0x80 {
		msg.BaseCode = 0
	}
	return msg
}

// typedAs is what a key sends to a shell; nothing where no plain terminal tells it.
func typedAs(k tea.Key) string {
	switch {
	case k.Text != "":
		return k.Text
	case k.Mod == tea.ModCtrl && k.Code >= 'a' && k.Code <= 'z':
		return string(k.Code & 0x1f)
	case k.Mod != 0:
	case k.Code == tea.KeyEnter, k.Code == tea.KeyTab, k.Code == tea.KeyEscape, k.Code == tea.KeyBackspace:
		return string(k.Code)
	case k.Code == tea.KeyUp:
		return "\x1b[A"
	case k.Code == tea.KeyDown:
		return "\x1b[B"
	case k.Code == tea.KeyRight:
		return "\x1b[C"
	case k.Code == tea.KeyLeft:
		return "\x1b[D"
	}
	return ""
}

// wholeStrings reads keys and answers so that the two bytes that end a string come together: the library takes the first
// for all of the end, and the other for a key.
type wholeStrings struct {
	io.Reader
	now func() time.Time

	inside bool // a string has begun and not ended
	esc    bool // the byte before is an escape
	held   bool // that escape is not passed on yet
	last   time.Time
}

// Read passes on what is read, but for an escape at its end within a string, which comes with the next byte.
func (s *wholeStrings) Read(p []byte) (int, error) {
	if len(p) < 2 {
		return s.Reader.Read(p)
	}
	at := 0
	if s.held {
		p[0], at, s.held = escape, 1, false
	}
	n, err := s.Reader.Read(p[at:])
	now := s.now()
	if now.Sub(s.last) > uv.DefaultEscTimeout { // The library waits no longer either: what began was a key.
		s.inside, s.esc = false, false
	}
	if n > 0 {
		s.last = now
	}
	for _, b := range p[at : at+n] {
		s.pass(b)
	}
	n += at
	if err == nil && s.inside && s.esc {
		s.held = true
		if n--; n == 0 {
			return s.Read(p)
		}
	}
	return n, err
}

const escape = 0x1b

// pass notes a byte.
func (s *wholeStrings) pass(b byte) {
	switch {
	case s.esc && (b == ']' || b == 'P' || b == '_' || b == '^' || b == 'X'):
		s.inside = true
	case s.esc, b == '\a', b == 0x18, b == 0x1a: // It ends, or is given up.
		s.inside = false
	}
	s.esc = b == escape
}
