package config

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/cardtop/cardtop/api"
)

// ErrNoKey means that no source has a key for the profile and origin.
var ErrNoKey = errors.New("no API key")

// ErrNoKeyring means that the system has no keyring, or one that does not answer.
var ErrNoKeyring = errors.New("no OS keyring")

// ErrKeyPlace means that a live key was about to be used on this machine,
// where only sandboxes listen.
var ErrKeyPlace = errors.New("a live key is refused on loopback")

// KeySource is where a key came from, as the header shows it.
type KeySource string

// The sources, in the order they are asked.
const (
	KeyFromEnvironment KeySource = "environment"
	KeyFromCommand     KeySource = "command"
	KeyFromKeyring     KeySource = "keyring"
	KeyFromPlainFile   KeySource = "plain file"
)

// Key is an API key and where it came from.
type Key struct {
	APIKey api.APIKey
	Source KeySource
	// Notice is one line for the user when the keyring could not be asked.
	Notice string
}

// KeyStore finds, saves and deletes API keys. Make it with NewKeyStore.
type KeyStore struct {
	Keyring        Keyring
	Environ        []string // What api_key_command may see, before the allow-list.
	CommandTimeout time.Duration
	KeyringTimeout time.Duration
	// Opened reports whether a key opened the account of a run on this machine before. One of the environment is
	// then not compared with the profile's own; nil compares each.
	Opened func(r Resolved, key api.APIKey) bool
	// mute is set once the keyring did not answer in time; nil in a store that tries each time.
	mute *atomic.Bool
	// terminal opens the terminal that a command may ask on; nil for none.
	terminal func() *os.File
}

// NewKeyStore asks the keyring of the system, for at most 3 s, and returns a
// command 10 s.
func NewKeyStore() KeyStore {
	return KeyStore{
		Keyring:        SystemKeyring{},
		Environ:        os.Environ(),
		CommandTimeout: 10 * time.Second,
		KeyringTimeout: 3 * time.Second,
	}
}

// GivingUp returns a store that waits once for a keyring that does not answer, for a command that asks it for
// several things.
func (ks KeyStore) GivingUp() KeyStore {
	ks.mute = new(atomic.Bool)
	return ks
}

// LoadKey finds the key of a run: environment, command, keyring, configuration
// file. A command that fails ends the search, because the user chose it; a
// keyring that fails counts as none and is mentioned. The error is ErrNoKey
// when nothing has a key, ErrKeyPlace for a live key on loopback.
func (ks KeyStore) LoadKey(ctx context.Context, r Resolved) (Key, error) {
	if r.Sandbox || r.keys == nil {
		return Key{}, fmt.Errorf("load key: %w is needed on the sandbox", ErrNoKey)
	}
	key, err := ks.find(ctx, r)
	if err != nil {
		return Key{}, fmt.Errorf("load key: %w", err)
	}
	if err := checkPlace(r.Origin, key.APIKey); err != nil {
		return Key{}, fmt.Errorf("load key: %w", err)
	}
	return key, nil
}

// find joins the profile's own key and that of the environment. A profile that the command line names uses
// its own. The environment's is used alone where it opened the account of the profile before: a keyring may ask
// the user or never answer. Else the two have to be the same, for nothing shows which account is meant.
func (ks KeyStore) find(ctx context.Context, r Resolved) (Key, error) {
	if !r.keys.found.IsZero() {
		return Key{APIKey: r.keys.found, Source: KeyFromEnvironment}, nil
	}
	environment := Key{APIKey: r.keys.env, Source: KeyFromEnvironment}
	meant := r.Profile == DefaultProfile || !r.keys.named && ks.Opened != nil && ks.Opened(r, r.keys.env)
	if !r.keys.env.IsZero() && meant {
		return environment, nil
	}
	own, err := ks.own(ctx, r)
	switch {
	case r.keys.env.IsZero() || r.keys.named && err == nil:
		return own, err
	case errors.Is(err, ErrNoKey):
		return environment, nil
	case err != nil:
		return Key{}, err
	case !own.APIKey.Equal(environment.APIKey.Secret):
		return Key{}, fmt.Errorf("%s is not the key of profile %q: unset it, or name the profile with --profile", EnvAPIKey, r.Profile)
	}
	return environment, nil
}

// own finds the profile's own key: command, keyring, configuration file.
func (ks KeyStore) own(ctx context.Context, r Resolved) (Key, error) {
	if r.keys.command != "" {
		key, err := ks.runCommand(ctx, r.keys.command)
		if err != nil {
			return Key{}, &KeyCommandError{r.Profile, err}
		}
		return Key{APIKey: key, Source: KeyFromCommand}, nil
	}
	key, err := ks.ask(ctx, r)
	if err == nil {
		return Key{APIKey: key, Source: KeyFromKeyring}, nil
	}
	var notice string
	if !errors.Is(err, ErrNoKey) {
		notice = err.Error()
	}
	if !r.keys.inline.IsZero() {
		return Key{APIKey: r.keys.inline, Source: KeyFromPlainFile, Notice: notice}, nil
	}
	return Key{}, noKey(r, notice)
}

// noKey returns an error of one line: what was tried and what to do.
func noKey(r Resolved, notice string) error {
	var hints []string
	if r.keys.bound != "" {
		hints = append(hints, "the profile's own key belongs to "+r.keys.bound)
	}
	if notice != "" {
		hints = append(hints, notice)
	}
	text := ""
	if len(hints) > 0 {
		text = " (" + strings.Join(hints, "; ") + ")"
	}
	return fmt.Errorf("%w for profile %q at %s%s: set %s or api_key_command, or run cardtop keyring set",
		ErrNoKey, r.Profile, r.Origin, text, EnvAPIKey)
}

// checkPlace refuses a live key for a sandbox.
func checkPlace(o Origin, key api.APIKey) error {
	if o.Loopback() && key.Mode() == api.ModeLive {
		return fmt.Errorf("%w: %s", ErrKeyPlace, o)
	}
	return nil
}

// maxKey bounds an API key, in bytes. The contract states no length.
const maxKey = 512

// NewKey makes an API key from what a user or a program gave: the blanks
// around it are dropped, and what is left must be one word of printable ASCII.
// Errors do not quote it and finish a sentence that names the source.
func NewKey(raw []byte) (api.APIKey, error) {
	trimmed := bytes.TrimSpace(raw)
	switch {
	case len(trimmed) == 0:
		return api.APIKey{}, errors.New("is empty")
	case len(trimmed) > maxKey:
		return api.APIKey{}, fmt.Errorf("is longer than %d bytes", maxKey)
	case bytes.ContainsFunc(trimmed, func(r rune) bool { return r <= ' ' || r > '~' }):
		return api.APIKey{}, errors.New("holds a blank or a character that no key has")
	}
	return api.NewAPIKey(trimmed), nil
}
