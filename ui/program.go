package ui

import (
	tea "charm.land/bubbletea/v2"
)

// NewProgram puts an App on the screen. What ends it is up to the caller,
// signals as well. The library must not catch panics: it prints their value.
func NewProgram(a *App, more ...tea.ProgramOption) *tea.Program {
	return newProgram(Contained{App: a}, append(more, tea.WithFilter(leave)))
}

// NewPickerProgram puts a Picker on the screen, likewise.
func NewPickerProgram(p *Picker, more ...tea.ProgramOption) *tea.Program { return newProgram(p, more) }

func newProgram(m tea.Model, more []tea.ProgramOption) *tea.Program {
	options := []tea.ProgramOption{tea.WithoutSignalHandler(), tea.WithoutCatchPanics()}
	return tea.NewProgram(m, append(options, more...)...)
}

// RunProgram runs a program until it ends. A panic outside our own code ends
// it as well, with the terminal given back.
func RunProgram(p *tea.Program) (err error) {
	defer func() {
		if v := recover(); v != nil {
			p.Kill()
			err = Caught(v)
		}
	}()
	_, err = p.Run()
	return err
}

// leave blanks the last screen, however the end came: the library draws once
// more before it gives the terminal back.
func leave(m tea.Model, msg tea.Msg) tea.Msg {
	if _, ok := msg.(tea.QuitMsg); ok {
		if c, ok := m.(Contained); ok {
			c.leaving = true
			c.cfg.Vault.Wipe()
		}
	}
	return msg
}
