package app

import (
	"context"
	"errors"
	"fmt"
	"os"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"

	"github.com/cardtop/cardtop/internal/clipboard"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/ui"
	"github.com/cardtop/cardtop/ui/picker"
	"github.com/cardtop/cardtop/ui/tty"
)

// Screen is a terminal with a clipboard. What belongs to the process of a dashboard goes with its own terminal: the
// memory it gives back, the other programs it looks for, and the configuration file that it follows.
type Screen struct {
	Device tty.Device
	Board  clipboard.Board
}

// screenEnv is the environment that describes the screen.
func (p Program) screenEnv() func(string) string {
	if p.Screen != nil {
		return lookup(p.Screen.Device.Env)
	}
	return os.Getenv
}

// terminal is where a dashboard is shown.
type terminal struct {
	// open returns the device, and what lets it go.
	open func() (device tty.Device, release func(), err error)
	// opened is called with the terminal before anything is drawn on it; it may be nil.
	opened func(*tty.Session)
}

// followers bring in what happens beside the screen, until their context ends.
type followers struct {
	// reload is nil where there is no configuration to follow.
	reload func(context.Context, func(ui.ReloadMsg))
	// hub is nil for an account that is not a hub's.
	hub func(context.Context, func(kernel.Event))
	// pushed are the events of the address for webhooks; nil without one.
	pushed <-chan kernel.Event
}

// runScreen runs the screen, clears the clipboard, and saves what the next start
// begins with.
func runScreen(ctx context.Context, on terminal, app *ui.App, board clipboard.Board, executor *engine.Executor, follow followers) error {
	runErr := runProgram(ctx, on, app, board, executor, follow)
	executor.DropCopy()
	err := errors.Join(runErr, board.Close(true))
	if runErr == nil {
		_ = app.KeepLast() // The log has the error, and nothing is lost by it.
	}
	return err
}

// runProgram runs the screen. A hang-up or a signal ends it as q does, so that
// the terminal is restored and the clipboard cleared.
func runProgram(ctx context.Context, on terminal, app *ui.App, board clipboard.Board, executor *engine.Executor, follow followers) error {
	device, release, err := on.open()
	if err != nil {
		return err
	}
	defer release()
	screen, err := ui.NewProgram(app, device)
	if err != nil {
		return err
	}
	if on.opened != nil {
		on.opened(screen.Session)
	}
	done := make(chan struct{})
	defer close(done)
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	crashed := func(crash error) { fail(crash); screen.Quit() }
	if follow.reload != nil {
		tty.Go(crashed, func() { follow.reload(ctx, func(m ui.ReloadMsg) { screen.Send(m) }) })
	}
	if follow.hub != nil {
		tty.Go(crashed, func() { follow.hub(ctx, func(ev kernel.Event) { screen.Send(ui.EventMsg(ev)) }) })
	}
	tty.Go(crashed, func() {
		for {
			select {
			case r := <-board.Reports():
				if ev, ok := executor.Reported(r); ok {
					screen.Send(ui.EventMsg(ev))
				}
			case ev := <-follow.pushed:
				screen.Send(ui.EventMsg(ev))
			case <-ctx.Done():
				screen.Quit()
				return
			case <-done:
				return
			}
		}
	})
	if err := screen.Run(); err != nil {
		return fmt.Errorf("run the screen: %w", err)
	}
	var crash *tty.CrashError
	if errors.As(context.Cause(ctx), &crash) {
		return crash
	}
	return app.Err()
}

// runPicker runs the list of accounts until one is picked or the user quits.
func (p Program) runPicker(ctx context.Context, accounts *picker.Picker) error {
	device, release, err := p.openTerminal()
	if err != nil {
		return err
	}
	defer release()
	screen, err := picker.NewProgram(accounts, device)
	if err != nil {
		return err
	}
	done := make(chan struct{})
	defer close(done)
	go func() {
		select {
		case <-ctx.Done():
			screen.Quit()
		case <-done:
		}
	}()
	if err := screen.Run(); err != nil {
		return fmt.Errorf("run the screen: %w", err)
	}
	return accounts.Err()
}

// openTerminal returns the terminal of the program. Keys come from that of this process also where standard input is
// a pipe.
func (p Program) openTerminal() (t tty.Device, release func(), err error) {
	if p.Screen != nil {
		return p.Screen.Device, func() {}, nil
	}
	t = tty.Device{In: os.Stdin, Out: os.Stdout, Env: os.Environ()}
	if term.IsTerminal(os.Stdin.Fd()) {
		return t, func() {}, nil
	}
	keyboard, _, err := tea.OpenTTY()
	if err != nil {
		return t, nil, fmt.Errorf("find the keyboard: %w", err)
	}
	t.In = keyboard
	return t, func() { _ = keyboard.Close() }, nil // It was only read from.
}
