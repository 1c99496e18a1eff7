package config

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/zalando/go-keyring"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/config/redact"
	"github.com/cardtop/cardtop/internal/shell"
)

// Keyring stores secrets for the user. A secret that is not there is ErrNoKey.
// Calls may block for ever; the KeyStore bounds them.
type Keyring interface {
	Get(service, user string) (string, error)
	Set(service, user, secret string) error
	Delete(service, user string) error
}

// SystemKeyring is the keyring of the operating system.
type SystemKeyring struct{}

// Get returns a secret.
func (SystemKeyring) Get(service, user string) (string, error) {
	secret, err := keyring.Get(service, user)
	return secret, translate(err)
}

// Set saves a secret in place of the one that was there.
func (SystemKeyring) Set(service, user, secret string) error {
	return translate(keyring.Set(service, user, secret))
}

// Delete removes a secret.
func (SystemKeyring) Delete(service, user string) error {
	return translate(keyring.Delete(service, user))
}

func translate(err error) error {
	if errors.Is(err, keyring.ErrNotFound) {
		return ErrNoKey
	}
	return err
}

// SaveKey puts a key into the keyring, for this profile at this origin and no
// other.
func (ks KeyStore) SaveKey(ctx context.Context, r Resolved, key api.APIKey) error {
	if r.Sandbox {
		return errors.New("save key: the sandbox needs none")
	}
	if err := checkPlace(r.Origin, key); err != nil {
		return fmt.Errorf("save key: %w", err)
	}
	if _, err := NewKey(key.Bytes()); err != nil {
		return fmt.Errorf("save key: it %w", err)
	}
	_, err := asked(ctx, ks, func() (struct{}, error) {
		return struct{}{}, ks.Keyring.Set(program, account(r), key.Expose())
	})
	if err != nil {
		return fmt.Errorf("save key: %w", noKeyring(err))
	}
	return nil
}

// DeleteKey removes the key of this profile at this origin from the keyring.
// It is ErrNoKey when there is none.
func (ks KeyStore) DeleteKey(ctx context.Context, r Resolved) error {
	if r.Sandbox {
		return errors.New("delete key: the sandbox has none")
	}
	_, err := asked(ctx, ks, func() (struct{}, error) {
		return struct{}{}, ks.Keyring.Delete(program, account(r))
	})
	if err != nil {
		return fmt.Errorf("delete key: %w", noKeyring(err))
	}
	return nil
}

// ask reads the keyring. Any error but ErrNoKey means that there is no
// keyring to ask.
func (ks KeyStore) ask(ctx context.Context, r Resolved) (api.APIKey, error) {
	secret, err := asked(ctx, ks, func() (string, error) {
		return ks.Keyring.Get(program, account(r))
	})
	if err != nil {
		return api.APIKey{}, noKeyring(err)
	}
	key, err := NewKey([]byte(secret))
	if err != nil {
		return api.APIKey{}, fmt.Errorf("the key in the OS keyring %w", err)
	}
	return key, nil
}

// Secret returns a secret of the keyring that is no API key. It is ErrNoKey when there
// is none.
func (ks KeyStore) Secret(ctx context.Context, name string) (api.Secret, error) {
	text, err := asked(ctx, ks, func() (string, error) { return ks.Keyring.Get(program, name) })
	if err != nil {
		return api.Secret{}, noKeyring(err)
	}
	return api.NewSecret(text), nil
}

// SaveSecret puts a secret that is no API key into the keyring.
func (ks KeyStore) SaveSecret(ctx context.Context, name string, secret api.Secret) error {
	_, err := asked(ctx, ks, func() (struct{}, error) {
		return struct{}{}, ks.Keyring.Set(program, name, secret.Expose())
	})
	if err != nil {
		return noKeyring(err)
	}
	return nil
}

// CheckKeyring reports whether the system has a keyring that answers; nil when
// it does, also when it holds no key.
func (ks KeyStore) CheckKeyring(ctx context.Context) error {
	_, err := asked(ctx, ks, func() (string, error) { return ks.Keyring.Get(program, "doctor") })
	if err == nil || errors.Is(err, ErrNoKey) {
		return nil
	}
	return noKeyring(err)
}

// account names an entry of the keyring. The origin is part of the name, so a
// base URL that was changed does not find the key of the old one.
func account(r Resolved) string { return r.Profile + "@" + r.Origin.String() }

// noKeyring puts the error of a keyring on one line; keyrings differ in what
// they print, so it is redacted and its chain ends here.
func noKeyring(err error) error {
	if errors.Is(err, ErrNoKey) {
		return ErrNoKey
	}
	return fmt.Errorf("%w: %s", ErrNoKeyring, redact.New().Text(strings.Join(strings.Fields(reason(err)), " ")))
}

// reason is why the keyring did not answer, without the layers of the libraries
// that it came through.
func reason(err error) string {
	var lacking *exec.Error
	var refused *net.OpError
	switch {
	case errors.As(err, &lacking):
		return lacking.Name + " is not installed"
	case errors.As(err, &refused):
		return "the session bus does not answer"
	}
	return err.Error()
}

// errMute is that a keyring did not answer in time.
var errMute = errors.New("no answer")

// asked calls a keyring. A store that gives up calls one no more that did not answer once.
func asked[T any](ctx context.Context, ks KeyStore, call func() (T, error)) (T, error) {
	if ks.mute != nil && ks.mute.Load() {
		var none T
		return none, errMute
	}
	value, err := within(ctx, ks.KeyringTimeout, call)
	if ks.mute != nil && errors.Is(err, errMute) {
		ks.mute.Store(true)
	}
	return value, err
}

// within abandons a call after a time. The call itself cannot be stopped:
// its goroutine ends when it does, and what it brings then is dropped.
func within[T any](ctx context.Context, limit time.Duration, call func() (T, error)) (T, error) {
	type answer struct {
		value T
		err   error
	}
	answers := make(chan answer, 1)
	go func() {
		// What breaks in a library must not print what it was given.
		defer func() {
			if v := recover(); v != nil {
				answers <- answer{err: fmt.Errorf("it broke (%T)", v)}
			}
		}()
		value, err := call()
		answers <- answer{value, err}
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	var none T
	select {
	case a := <-answers:
		return a.value, a.err
	case <-timer.C:
		return none, fmt.Errorf("%w in %s", errMute, limit)
	case <-ctx.Done():
		return none, ctx.Err()
	}
}

// maxKeyOutput is more than any key needs, in bytes.
const maxKeyOutput = 4096

// KeyCommandError is that api_key_command of a profile gave no key.
type KeyCommandError struct {
	Profile string
	Err     error
}

func (e *KeyCommandError) Error() string {
	return fmt.Sprintf("run api_key_command of profile %q: %s", e.Profile, e.Err)
}

// Unwrap returns why.
func (e *KeyCommandError) Unwrap() error { return e.Err }

// runCommand runs a shell line whose only line of output is the key. What it
// prints is in no error, on either stream: it may be the key. With a terminal it may take
// as long as the user does, and ctrl+c ends it; else it has CommandTimeout.
func (ks KeyStore) runCommand(ctx context.Context, line string) (api.APIKey, error) {
	var tty *os.File
	if ks.terminal != nil {
		tty = ks.terminal()
	}
	var cmd *exec.Cmd
	if tty != nil {
		defer giveBack(tty)()
		cmd = shell.CommandAt(ctx, tty, line, shell.KeyEnv(ks.Environ))
	} else {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, ks.CommandTimeout)
		defer cancel()
		cmd = shell.Command(ctx, line, shell.KeyEnv(ks.Environ))
	}
	cmd.WaitDelay = time.Second // For children that keep the output open.
	out := &shell.Output{Limit: maxKeyOutput}
	cmd.Stdout = out
	defer out.Wipe()
	err := cmd.Run()
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return api.APIKey{}, ctx.Err()
	case ctx.Err() != nil && errors.Is(ctx.Err(), context.DeadlineExceeded):
		return api.APIKey{}, fmt.Errorf("no answer in %s", ks.CommandTimeout)
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		return api.APIKey{}, fmt.Errorf("%w (run it in a shell to see why)", err)
	case out.Over():
		return api.APIKey{}, fmt.Errorf("its output is longer than %d bytes", maxKeyOutput)
	}
	trimmed := bytes.TrimSpace(out.Bytes())
	if bytes.ContainsAny(trimmed, "\r\n") {
		return api.APIKey{}, errors.New("its output is more than one line")
	}
	key, err := NewKey(trimmed)
	if err != nil {
		return api.APIKey{}, fmt.Errorf("its output %w", err)
	}
	return key, nil
}

// AtTerminal returns a store whose command may ask on the terminal: call it only while nothing else reads or
// draws there.
func (ks KeyStore) AtTerminal() KeyStore {
	if !term.IsTerminal(os.Stdin.Fd()) {
		return ks
	}
	ks.terminal = func() *os.File {
		tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
		if err != nil {
			return nil // A session without a terminal of its own.
		}
		return tty
	}
	return ks
}

// giveBack remembers the modes of a terminal and returns what sets them again and closes it: a command that
// is ended while it reads a password leaves the echo off.
func giveBack(tty *os.File) func() {
	modes, err := term.GetState(tty.Fd())
	return func() {
		if err == nil {
			err = term.Restore(tty.Fd(), modes)
		}
		if err := errors.Join(err, tty.Close()); err != nil {
			slog.Debug("give the terminal back", slog.Any("error", err))
		}
	}
}
