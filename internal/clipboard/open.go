package clipboard

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/cardtop/cardtop/internal/clipboard/mark"
	"github.com/cardtop/cardtop/internal/clipboard/screen"
)

// Config is what a board needs to know.
type Config struct {
	// Executable and Args start the guard; "" is this program. RunGuard has to
	// be what they reach.
	Executable string
	Args       []string
	// OSC52 allows the terminal's clipboard when no other is in reach. Over
	// SSH it is on another machine.
	OSC52 bool
	// Claims is a folder of the user's alone, in which the guards of several
	// programs record which of them copied last; "" for none.
	Claims string
	// TTY is the terminal that the dashboard draws on, in the settings it is to
	// have afterwards; nil when there is none to restore.
	TTY *os.File
	// Env reads the environment; Now returns the time for Report.Until.
	Env func(string) string
	Now func() time.Time
}

// Open starts the guard and returns when it is armed. It takes some ten
// milliseconds and has to be called before the terminal is set to raw mode.
// On an error NewOff gives a board that explains it.
func Open(ctx context.Context, cfg Config) (*Guarded, error) {
	if cfg.Env == nil || cfg.Now == nil {
		return nil, errors.New("open clipboard: Env and Now have to be set")
	}
	if os.Getenv(inside) != "" {
		return nil, errors.New("open clipboard: a guard starts no guard")
	}
	if cfg.Executable == "" {
		exe, err := self()
		if err != nil {
			return nil, err
		}
		cfg.Executable = exe
	}
	key, err := mark.NewKey()
	if err != nil {
		return nil, err
	}
	g := &Guarded{cfg: cfg, key: key, box: newMailbox(), live: map[uint64]copied{}, screen: cfg.TTY != nil}
	if cfg.TTY != nil {
		if g.mode, err = screen.Mode(cfg.TTY); err != nil {
			return nil, fmt.Errorf("open clipboard: %w", err)
		}
	}
	if _, err := g.running(ctx); err != nil {
		return nil, err
	}
	return g, nil
}

// self is this program. On Linux it is found even after an upgrade has replaced
// the file, so that guard and helper always match the dashboard.
func self() (string, error) {
	if runtime.GOOS == "linux" {
		return "/proc/self/exe", nil
	}
	return os.Executable()
}
