package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/clipboard"
	"github.com/cardtop/cardtop/internal/config"
)

// Board opens the clipboard for one copy: an error is known before what is to be
// copied is asked for.
func (p Program) Board(ctx context.Context, s config.Settings) (clipboard.Board, error) {
	cfg := clipboard.Config{Args: []string{app.GuardCommand}, Claims: config.DefaultPaths().State, OSC52: s.OSC52, Env: os.Getenv, Now: p.Now}
	if s.OSC52 {
		cfg.TTY = terminalOf(p.Out, p.Errs)
	}
	board, err := clipboard.Open(ctx, cfg)
	if err != nil {
		return nil, err
	}
	// The terminal is the shell's: nothing on it may be erased.
	if err := board.HoldScreen(ctx, false); err != nil {
		return nil, errors.Join(err, board.Close(true))
	}
	if info := board.Info(); info.Mode == "none" {
		return nil, errors.Join(fmt.Errorf("%w: %s", clipboard.ErrNoTool, strings.Join(info.Warnings, "; ")), board.Close(true))
	}
	return board, nil
}

// Copy puts a secret on the clipboard and closes the board, whose guard clears the
// clipboard later, also when this process has ended.
func Copy(ctx context.Context, board clipboard.Board, secret []byte, ttl time.Duration) (clipboard.Report, error) {
	report, err := board.Copy(ctx, clipboard.Item{Secret: secret, TTL: ttl})
	if err != nil {
		return report, errors.Join(err, board.Close(true))
	}
	// The guard has to know that the end of this process is intended before
	// anything can end it.
	return report, board.Close(false)
}

// Copied says what became of a copy.
func Copied(report clipboard.Report, what string) string {
	at, way := report.Until.Local().Format(time.TimeOnly), ""
	if report.Via != "" {
		way = " (" + report.Via + ")"
	}
	if report.State == clipboard.Sent {
		return "sent " + what + ", to the terminal" + way + ", which is asked to clear it at " + at + "; neither can be verified"
	}
	return "copied " + what + way + "; cleared at " + at
}

// terminalOf returns the first terminal among files; nil without one.
func terminalOf(files ...any) *os.File {
	for _, f := range files {
		if f, ok := f.(*os.File); ok && IsTerminal(f) {
			return f
		}
	}
	return nil
}
