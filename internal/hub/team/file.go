package team

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/pelletier/go-toml/v2"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/storage/format"
	"github.com/cardtop/cardtop/internal/storage/fsafe"
)

// FileName is the name of the file in the folder of a hub.
const FileName = "team.toml"

// File is the file of a team. It has hashes of tokens and no token.
type File struct{ Path string }

// InDir returns the file in a folder.
func InDir(dir string) File { return File{Path: filepath.Join(dir, FileName)} }

// entry is a person as in the file.
type entry struct {
	Name   string    `toml:"name"`
	Role   string    `toml:"role"`
	Labels []string  `toml:"labels"`
	Cap    string    `toml:"cap,omitempty"` // USD
	Token  string    `toml:"token"`         // sha256: and the hash, hex
	Added  time.Time `toml:"added"`
	Keys   []string  `toml:"ssh_keys,omitempty"` // fingerprints
}

// version is that of the file, to be raised when an older program would misread it.
const version = 1

type document struct {
	Version int     `toml:"version,omitempty"`
	Person  []entry `toml:"person"`
}

const hashPrefix = "sha256:"

// Load reads the team. A file that is not there is an empty team.
func (f File) Load() (*Team, error) {
	file, err := fsafe.Read(f.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return &Team{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the team: %w", err)
	}
	t, err := decode(file.Data)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", f.Path, err)
	}
	return t, nil
}

func decode(data []byte) (*Team, error) {
	var doc document
	// What a newer program wrote may have fields that are not known here.
	if err := toml.Unmarshal(data, &doc); err == nil {
		if err := format.Check(doc.Version, version); err != nil {
			return nil, err
		}
	}
	doc = document{}
	dec := toml.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&doc); err != nil {
		return nil, errors.New("it is no valid TOML of a team")
	}
	t := &Team{}
	for _, e := range doc.Person {
		p := Person{Name: e.Name, Labels: e.Labels, Added: e.Added, Keys: e.Keys}
		var err error
		if p.Role, err = ParseRole(e.Role); err != nil {
			return nil, err
		}
		if e.Cap != "" {
			if p.Cap, err = api.ParseTyped(e.Cap); err != nil {
				return nil, errors.New("cap is not an amount")
			}
		}
		digits, ok := strings.CutPrefix(e.Token, hashPrefix)
		if raw, err := hex.DecodeString(digits); !ok || err != nil || len(raw) != len(p.Token) || copy(p.Token[:], raw) == 0 {
			return nil, errors.New("token is not sha256: and a hash")
		}
		t.People = append(t.People, p)
	}
	return t, t.check()
}

func encode(t *Team) ([]byte, error) {
	doc := document{Version: version}
	for _, p := range t.People {
		e := entry{Name: p.Name, Role: p.Role.String(), Labels: p.Labels, Token: hashPrefix + hex.EncodeToString(p.Token[:]), Added: p.Added.UTC(), Keys: p.Keys}
		if p.Cap > 0 {
			e.Cap = p.Cap.String()
		}
		doc.Person = append(doc.Person, e)
	}
	return toml.Marshal(doc)
}

// patience bounds the wait for another program that changes the team.
const patience = 5 * time.Second

// change replaces the file while no other program does.
func (f File) change(do func(*Team) error) error {
	if err := fsafe.MkdirAll(filepath.Dir(f.Path)); err != nil {
		return err
	}
	lock, err := fsafe.Lock(f.Path+".lock", patience)
	if err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return fmt.Errorf("lock the team: %w", err)
	}
	if err == nil {
		defer func() { _ = lock.Close() }() // Nothing is written to it.
	}
	t, err := f.Load()
	if err != nil {
		return err
	}
	if err := do(t); err != nil {
		return err
	}
	if err := t.check(); err != nil {
		return err
	}
	data, err := encode(t)
	if err != nil {
		return fmt.Errorf("encode the team: %w", err)
	}
	return fsafe.WriteFile(f.Path, data)
}

// tokenBytes are 256 bits.
const tokenBytes = 32

// Add adds a person and returns the token, which is nowhere else. live is the mode of
// the account: a client tells it by the prefix of its key.
func (f File) Add(p Person, live bool) (api.Secret, error) {
	raw := make([]byte, tokenBytes)
	_, _ = rand.Read(raw) // It never returns an error.
	prefix := "sk_test_"
	if live {
		prefix = "sk_live_"
	}
	text := []byte(prefix + "hub_" + base64.RawURLEncoding.EncodeToString(raw))
	clear(raw)
	token := api.NewSecret(text)
	p.Token = HashOf(text)
	clear(text)
	return token, f.change(func(t *Team) error {
		if _, there := t.Named(p.Name); there {
			return fmt.Errorf("%s is in the team already: remove them first for a new token", p.Name)
		}
		t.People = append(t.People, p)
		return nil
	})
}

// Remove removes a person; their token is refused from then on.
func (f File) Remove(name string) error {
	return f.change(func(t *Team) error {
		if _, there := t.Named(name); !there {
			return fmt.Errorf("%s is not in the team", api.Clean(name))
		}
		t.People = slices.DeleteFunc(t.People, func(p Person) bool { return p.Name == name })
		return nil
	})
}

// stamp tells one content of the file from another, and who may change it from who could.
func (f File) stamp() string {
	info, err := os.Lstat(f.Path)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%d %d %v", info.ModTime().UnixNano(), info.Size(), info.Mode())
}

// pollEvery is how often the file is looked at: who is removed is refused within a
// second.
const pollEvery = 400 * time.Millisecond

// Live is the team as its file says now. It may be used from several goroutines.
type Live struct {
	file  File
	now   atomic.Pointer[Team]
	stamp string
}

// Open reads the team.
func Open(f File) (*Live, error) {
	l := &Live{file: f, stamp: f.stamp()}
	t, err := f.Load()
	if err != nil {
		return nil, err
	}
	l.now.Store(t)
	return l, nil
}

// Fixed returns a team that no file has.
func Fixed(t *Team) *Live {
	l := &Live{}
	l.now.Store(t)
	return l
}

// Team returns the team.
func (l *Live) Team() *Team { return l.now.Load() }

// Set replaces the team.
func (l *Live) Set(t *Team) { l.now.Store(t) }

// Follow reads the file again whenever it changes, until the context ends, and calls
// changed. A file that cannot be read is a team of nobody: who was removed must not
// stay because of a slip elsewhere in the file. failed is told why, once for each
// change.
func (l *Live) Follow(ctx context.Context, changed func(), failed func(error)) {
	ticker := time.NewTicker(pollEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		stamp := l.file.stamp()
		if stamp == l.stamp {
			continue
		}
		l.stamp = stamp
		t, err := l.file.Load()
		if err != nil {
			failed(err)
			t = &Team{}
		}
		l.now.Store(t)
		changed()
	}
}
