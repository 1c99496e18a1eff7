package tty

import (
	"image/color"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
)

// answerWithin is how long a terminal may take to answer what it was asked at the start.
const answerWithin = time.Second

// answers are what the terminal still owes. One that came after the program would be typed to the shell, so the
// program stays until the last one is here: every terminal answers what is asked last. One that answers nothing
// holds nobody up after answerWithin.
type answers struct {
	mu    sync.Mutex
	owed  chan struct{} // closed when all are here; nil when nothing was asked
	ends  *time.Timer
	typed []byte // keys behind the one that ended the program
	quits bool
}

// asked notes that the terminal was asked, now.
func (a *answers) asked() {
	a.mu.Lock()
	defer a.mu.Unlock()
	owed := make(chan struct{})
	a.owed = owed
	a.ends = time.AfterFunc(answerWithin, func() { a.here(owed) })
}

// came notes that the terminal has answered all that it was asked.
func (a *answers) came() {
	a.mu.Lock()
	owed := a.owed
	a.mu.Unlock()
	a.here(owed)
}

func (a *answers) here(owed chan struct{}) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if owed != nil && a.owed == owed {
		close(owed)
		a.ends.Stop()
		a.owed = nil
	}
}

// wait returns when nothing is owed.
func (a *answers) wait() {
	a.mu.Lock()
	owed := a.owed
	a.mu.Unlock()
	if owed != nil {
		<-owed
	}
}

// filter holds the end of the program back while an answer is owed, and keeps what is typed meanwhile. ending is
// called when the end is asked for.
func (a *answers) filter(ending func(tea.Model), quit func()) func(tea.Model, tea.Msg) tea.Msg {
	return func(m tea.Model, msg tea.Msg) tea.Msg {
		a.mu.Lock()
		owed, quits := a.owed, a.quits
		a.mu.Unlock()
		switch msg := msg.(type) {
		case uv.PrimaryDeviceAttributesEvent:
			a.came()
			return nil
		case uv.DarkColorSchemeEvent:
			return tea.BackgroundColorMsg{Color: color.Black}
		case uv.LightColorSchemeEvent:
			return tea.BackgroundColorMsg{Color: color.White}
		case tea.QuitMsg:
			if !quits && ending != nil {
				ending(m)
			}
			if owed == nil {
				return msg
			}
			if !quits {
				a.quits = true
				go func() {
					<-owed
					quit()
				}()
			}
			return nil
		case tea.KeyPressMsg:
			if !quits {
				return byPrint(msg)
			}
			a.typed = append(a.typed, typedAs(msg.Key())...)
		}
		if quits {
			return nil
		}
		return msg
	}
}

// byPrint has a key count by the Latin letter on it, whatever key of the US layout it is: ctrl and z of a German
// keyboard is ctrl+z. The library takes the key itself where the terminal tells it, which is right for other letters.
func byPrint(msg tea.KeyPressMsg) tea.KeyPressMsg {
	if msg.Code > 0 && msg.Code < 0x80 {
		msg.BaseCode = 0
	}
	return msg
}

// typedAs is what a key sends to a shell; nothing where that is not plain.
func typedAs(k tea.Key) string {
	switch {
	case k.Text != "":
		return k.Text
	case k.Mod == tea.ModCtrl && k.Code >= 'a' && k.Code <= 'z':
		return string(k.Code & 0x1f)
	case k.Mod != 0:
	case k.Code == tea.KeyEnter, k.Code == tea.KeyTab, k.Code == tea.KeyEscape, k.Code == tea.KeyBackspace:
		return string(k.Code)
	}
	return ""
}
