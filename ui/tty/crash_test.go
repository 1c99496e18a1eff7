package tty

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

const number = "4111111111111111"

// TestAPanicOfACommandIsAMessageWithoutItsValue holds that neither the message
// nor its error quotes what the panic was about.
func TestAPanicOfACommandIsAMessageWithoutItsValue(t *testing.T) {
	t.Parallel()
	msg, ok := Contain(func() tea.Msg { panic("the number is " + number) })().(CrashMsg)
	if !ok {
		t.Fatal("the panic is no message")
	}
	text := msg.Crash.Error()
	if strings.Contains(text, number) {
		t.Errorf("the value is printed: %s", text)
	}
	if !strings.Contains(text, "crashed (string)") || !strings.Contains(text, "TestAPanicOfACommand") {
		t.Errorf("neither type nor place: %s", text)
	}
	if Contain(nil) != nil {
		t.Error("no command became one")
	}
}

func TestAPanicBesideTheProgramIsHandedOn(t *testing.T) {
	t.Parallel()
	failed := make(chan error, 1)
	Go(func(err error) { failed <- err }, func() { panic(number) })
	if err := <-failed; strings.Contains(err.Error(), number) {
		t.Errorf("the value is printed: %v", err)
	}
}

// TestNothingIsDrawnWithoutATerminal holds that a program without one runs.
func TestNothingIsDrawnWithoutATerminal(t *testing.T) {
	t.Parallel()
	var s *Session
	s.Redraw()
	s.Send("\a")
	s.Report(tea.ModeReportMsg{})
}
