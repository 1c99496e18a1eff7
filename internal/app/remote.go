package app

import (
	"context"
	"errors"
	"io"
	"log/slog"
	mrand "math/rand/v2"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/internal/clipboard"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/internal/storage/addresses"
	"github.com/cardtop/cardtop/internal/storage/export"
	"github.com/cardtop/cardtop/internal/vault"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/rows"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui"
	"github.com/cardtop/cardtop/ui/tty"
)

// Remote is somebody at the other end of a connection that this process serves. Nothing
// of theirs is on its disk: no cache, no history, no exports, no files to read, no
// commands of their own.
type Remote struct {
	// API is the account, with its transport.
	API client.Config
	// Mode is the account's, Name what the header calls it.
	Mode config.Mode
	Name string
	// Device is their terminal.
	Device tty.Device
}

// ShowRemote runs a dashboard on a remote terminal until the user quits or the context
// ends, and wipes what it held of secrets.
func (p Program) ShowRemote(ctx context.Context, r Remote) error {
	run := config.Resolved{Profile: r.Name}
	set := ui.Settings{Reloadable: remoteSettings(r.Mode), Keys: keymap.New(keymap.Defaults())}
	secrets := &vault.Vault{}
	defer secrets.Wipe()
	eng, disconnect, err := p.connectRemote(r, run, set.Reloadable)
	if err != nil {
		return err
	}
	defer disconnect()
	env := lookup(r.Device.Env)
	store := state.New(settings.Config{
		Reloadable: set.Reloadable, NewKey: api.NewIdempotencyKey, Rand: mrand.Float64, Hub: r.API.Key.OfHub(), Profile: r.Name, Locale: lang.FromEnvironment(env),
		Screen: &settings.Screen{}, // Their own, with a lock of its own.
	})
	defer wipeCodes(store)
	board := clipboard.NewRemote(clipboard.RemoteConfig{Now: p.Now, End: func(seq string) { writeLast(r.Device.Out, seq) }})
	app, executor, err := newApp(ui.Config{
		Store: store, Vault: secrets, HoldScreen: board.HoldScreen, Settings: set, Terminal: ui.DetectTerminal(env),
		Mode: ui.Mode(r.Mode), Profile: r.Name, Now: p.Now,
	}, engine.ExecutorConfig{Run: func(e kernel.Effect) kernel.Event { return eng.Run(ctx, e) }, Vault: secrets, Board: board, Now: p.Now})
	if err != nil {
		return err
	}
	on := terminal{
		open:   func() (tty.Device, func(), error) { return r.Device, func() {}, nil },
		opened: func(s *tty.Session) { board.Attach(s.Send) },
	}
	var follow followers
	if r.API.Key.OfHub() {
		follow.hub = eng.FollowHub
	}
	return runScreen(ctx, on, app, board, executor, follow)
}

// RemoteEngine opens the account of somebody at the other end for one command of theirs,
// which writes nothing.
func (p Program) RemoteEngine(r Remote) (eng *engine.Engine, closeIt func(), err error) {
	return p.connectRemote(r, config.Resolved{Profile: r.Name, ReadOnly: true, NoReveal: true}, remoteSettings(r.Mode))
}

// connectRemote makes the client and the engine of a remote user.
func (p Program) connectRemote(r Remote, run config.Resolved, s settings.Reloadable) (*engine.Engine, func(), error) {
	acc := account{cfg: r.API, mode: r.Mode}
	disk, err := p.openRecords(run, acc, "", "")
	if err != nil {
		return nil, nil, err
	}
	run.Sandbox = true // Nobody shares the requests of a key with this process.
	eng, disconnect, err := p.connect(run, acc, engine.Config{
		Journal: disk.journal, History: disk.history, Plans: disk.plans, Pins: addresses.Open(""), Exports: copiesOnly{}, Guard: s.Guard, ReadFile: noFile,
	}, slog.New(slog.DiscardHandler))
	if err != nil {
		disk.close()
		return nil, nil, err
	}
	return eng, func() {
		disconnect()
		disk.close()
	}, nil
}

// remoteSettings are those of an empty file. No past days are read for the sums of
// spending: there is no place to keep them, and each session would read them again.
func remoteSettings(mode config.Mode) settings.Reloadable {
	set := config.Defaults()
	s := set.For(mode)
	s.SpendHourly = 0
	return s
}

// copiesOnly refuses exports to files: the disk here is not the user's.
type copiesOnly struct{}

var errNoFiles = errors.New("over SSH nothing is written to a file: copy it instead")

// Save implements engine.Exports.
func (copiesOnly) Save(rows.Rows, rows.Format) (string, error) { return "", errNoFiles }

// Text implements engine.Exports.
func (copiesOnly) Text(items rows.Rows, f rows.Format) (string, error) {
	return export.Folder{}.Text(items, f)
}

// noFile refuses to read a file: the disk here is not the user's.
func noFile(string) ([]byte, error) {
	return nil, errors.New("over SSH no file can be read: use cardtop on your machine")
}

// wipeCodes wipes the codes that a store holds: the process goes on without it.
func wipeCodes(store *state.Store) {
	for _, c := range store.Codes.All() {
		c.OTP.Wipe()
	}
}

// lastWrite bounds how long a terminal may take for what is written to it last.
const lastWrite = time.Second

// writeLast writes to a terminal that shows nothing any more. That it fails changes
// nothing: nobody is there.
func writeLast(out io.Writer, seq string) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.WriteString(out, seq) // The connection may be gone.
	}()
	limit := time.NewTimer(lastWrite)
	defer limit.Stop()
	select {
	case <-done:
	case <-limit.C:
	}
}

// lookup looks variables up in an environment.
func lookup(env []string) func(string) string {
	return func(name string) string {
		for _, v := range env {
			if len(v) > len(name) && v[len(name)] == '=' && v[:len(name)] == name {
				return v[len(name)+1:]
			}
		}
		return ""
	}
}
