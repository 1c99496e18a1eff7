package endpoint

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/storage/format"
	"github.com/cardtop/cardtop/internal/storage/fsafe"
)

// ErrNone means that no earlier run stored a secret.
var ErrNone = errors.New("no signing secret is stored")

// Kept is what is stored for the next run.
type Kept struct {
	// Webhook is empty until the registration was answered.
	Webhook api.WebhookID
	Secret  api.SigningSecret
}

// Secrets stores what deliveries are signed with.
type Secrets interface {
	Load(ctx context.Context) (Kept, error)
	Save(ctx context.Context, kept Kept) error
}

// Stored stores a secret in the keyring, or where there is none in a file that only
// the user can read.
type Stored struct {
	Keys config.KeyStore
	name string
	// earlier is the name in versions that knew no accounts; empty where it would be another account's.
	earlier string
	file    string
}

// Store returns where the secret of an address of an account is stored. dir is the
// folder of the account.
func Store(keys config.KeyStore, run config.Resolved, mode config.Mode, dir string) Stored {
	sum := sha256.Sum256([]byte(run.Push.URL))
	id := hex.EncodeToString(sum[:6])
	account := filepath.Base(dir)
	s := Stored{Keys: keys, name: "push " + id + " " + account, file: filepath.Join(dir, "push-"+id+".secret")}
	if numbered, _ := regexp.MatchString(`\.[0-9]+$`, account); !numbered { // The first account of a profile.
		s.earlier = fmt.Sprintf("push %s %s %s@%s", id, mode, run.Profile, run.Origin)
	}
	return s
}

// Load implements Secrets. The file is what was saved last, if it is there: Save removes
// it once the keyring has a secret.
func (s Stored) Load(ctx context.Context) (Kept, error) {
	file, err := fsafe.Read(s.file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s.fromKeyring(ctx)
	case err != nil:
		return Kept{}, err
	}
	defer clear(file.Data)
	if err := file.CheckSecret(); err != nil {
		return Kept{}, err
	}
	kept, err := Decode(file.Data)
	if err != nil {
		return Kept{}, fmt.Errorf("read %s: %w", s.file, err)
	}
	return kept, nil
}

func (s Stored) fromKeyring(ctx context.Context) (Kept, error) {
	text, err := s.Keys.Secret(ctx, s.name)
	if errors.Is(err, config.ErrNoKey) && s.earlier != "" {
		text, err = s.Keys.Secret(ctx, s.earlier)
	}
	switch {
	case err == nil:
		return Decode(text.Bytes())
	case errors.Is(err, config.ErrNoKey):
		return Kept{}, ErrNone
	}
	return Kept{}, fmt.Errorf("%w; %w", ErrNone, err)
}

// Save implements Secrets.
func (s Stored) Save(ctx context.Context, kept Kept) error {
	if _, err := s.Load(ctx); errors.Is(err, format.ErrNewer) {
		return err
	}
	text := kept.Encode()
	defer clear(text)
	if s.Keys.SaveSecret(ctx, s.name, api.NewSecret(text)) == nil {
		if err := os.Remove(s.file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove the file of before: %w", err)
		}
		return nil
	}
	if err := fsafe.MkdirAll(filepath.Dir(s.file)); err != nil {
		return err
	}
	return fsafe.WriteFile(s.file, text)
}

// version is that of what is stored, to be raised when an older program would misread it.
// It stands in the first line, after the heading.
const (
	version = 1
	heading = "cardtop push "
)

// Encode returns it as Decode reads it. Who calls it clears the text.
func (k Kept) Encode() []byte {
	return []byte(heading + strconv.Itoa(version) + "\n" + string(k.Webhook) + "\n" + k.Secret.Expose())
}

// Decode reads what Encode wrote; its error quotes nothing.
func Decode(text []byte) (Kept, error) {
	first, rest, _ := strings.Cut(string(text), "\n")
	digits, ok := strings.CutPrefix(first, heading)
	has, err := strconv.Atoi(digits)
	if !ok || err != nil {
		return Kept{}, errors.New("what is stored is no signing secret")
	}
	if err := format.Check(has, version); err != nil {
		return Kept{}, err
	}
	id, secret, ok := strings.Cut(rest, "\n")
	if !ok || secret == "" {
		return Kept{}, errors.New("what is stored is no signing secret")
	}
	return Kept{Webhook: api.WebhookID(id), Secret: api.NewSigningSecret(secret)}, nil
}
