package clipboard

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"github.com/cardtop/cardtop/internal/clipboard/guard"
	"github.com/cardtop/cardtop/internal/clipboard/helper"
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

// helperArg follows the guard's own arguments when the guard starts a helper.
const helperArg = "helper"

// RunGuard is the hidden subcommand that Open starts: args are what follows
// the subcommand's name, in and out the standard input and output. It returns
// the exit code. Call it from the main goroutine, before anything else.
func RunGuard(ctx context.Context, args []string, in io.Reader, out io.Writer) int {
	if guard.Harden() != nil {
		return 1
	}
	if len(args) == 1 && args[0] == helperArg {
		return helper.Serve(in, out)
	}
	return guard.Main(ctx, in, out)
}

// allowed are the variables that guard and clipboard tools need. Everything
// else stays behind, above all the API key.
func allowed() []string {
	return []string{
		"PATH", "HOME", "USER", "LANG", "LC_ALL", "LC_CTYPE", "TERM", "TMPDIR",
		"DISPLAY", "XAUTHORITY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "XDG_SESSION_TYPE",
		"SSH_TTY", "SSH_CONNECTION", "TMUX", "TMUX_TMPDIR", "STY",
		"PREFIX", "ANDROID_ROOT", "ANDROID_DATA", // Termux
		"WSL_DISTRO_NAME", "WSL_INTEROP", "WSLENV",
		"SYSTEMROOT", "WINDIR", "COMSPEC", "PATHEXT", "TEMP", "TMP", "USERPROFILE",
	}
}

// inside marks the environment of a guard, so that none starts another: a
// program that does not know the guard's command would run itself for ever.
const inside = "CARDTOP_GUARD"

// environ picks the allowed variables that are set, and marks the guard's.
func environ(get func(string) string) []string {
	env := []string{inside + "=1"}
	for _, name := range allowed() {
		if v := get(name); v != "" {
			env = append(env, name+"="+v)
		}
	}
	return env
}
