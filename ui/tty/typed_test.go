package tty

import (
	"io"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
)

// recorder keeps the names of the keys that come.
type recorder struct{ keys *[]string }

func (recorder) Init() tea.Cmd  { return nil }
func (recorder) View() tea.View { return tea.View{} }

func (r recorder) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		*r.keys = append(*r.keys, k.String())
	}
	return r, nil
}

// typed returns the names of the keys that a program gets of what a terminal sends, in parts.
func typed(t *testing.T, bytes ...string) (keys []string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		in, keyboard := io.Pipe()
		p, err := New(recorder{&keys}, time.Now, Device{In: in, Out: io.Discard, Width: 80, Height: 24}, nil) //nolint:forbidigo // virtual time
		must(t, err)
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_ = p.Run()
		}()
		for _, b := range bytes {
			if _, err := io.WriteString(keyboard, b); err != nil {
				t.Fatal(err)
			}
			time.Sleep(10 * time.Millisecond) //nolint:forbidigo // virtual time
		}
		time.Sleep(time.Second) //nolint:forbidigo // virtual time: the library waits for the rest of a sequence
		p.Quit()
		<-ended
		_, _ = in.Close(), keyboard.Close()
	})
	return keys
}
