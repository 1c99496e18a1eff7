package app

import (
	"context"
	"log/slog"
	"os"
	"time"

	"github.com/charmbracelet/x/term"

	"github.com/cardtop/cardtop/internal/clipboard"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/desktop"
)

// GuardCommand is the hidden command that the clipboard's guard runs as.
const GuardCommand = "clipboard-guard"

// OpenBoard opens the clipboard of the dashboard. It is off where none can be
// opened.
func (p Program) OpenBoard(ctx context.Context, paths config.Paths, s config.Settings, log *slog.Logger) clipboard.Board {
	if p.Screen != nil {
		return p.Screen.Board
	}
	tty := os.Stdout
	if !term.IsTerminal(tty.Fd()) {
		tty = nil // There is no screen to restore.
	}
	board, err := clipboard.Open(ctx, clipboard.Config{
		Args: []string{GuardCommand}, Claims: paths.State, OSC52: s.OSC52, TTY: tty, Env: os.Getenv, Now: p.Now,
	})
	if err != nil {
		log.Warn("clipboard", slog.Any("error", err))
		return clipboard.NewOff(err)
	}
	return board
}

// managersLimit bounds the search for clipboard managers.
const managersLimit = 2 * time.Second

// Managers returns the names of the clipboard managers that run.
func Managers(ctx context.Context) []string {
	ctx, cancel := context.WithTimeout(ctx, managersLimit)
	defer cancel()
	return desktop.Managers(ctx, os.Getenv)
}
