package journal

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/storage/fsafe"
)

// ErrClaimed is that another run has the key of an operation.
var ErrClaimed = errors.New("another cardtop runs with this idempotency key")

// Claim makes a key that the user chose this run's until it is released or the run
// ends in any way, so that two runs with it do not both find that nothing was
// begun. Where files cannot be locked it does not claim: then the server alone
// holds that the key acts once.
func (j *Journal) Claim(key api.IdempotencyKey) (release func(), err error) {
	if j.dir == "" {
		return func() {}, nil
	}
	sum := sha256.Sum256([]byte(key))
	path := filepath.Join(j.dir, "key-"+hex.EncodeToString(sum[:16])+".lock")
	for range names {
		f, err := fsafe.OpenAppend(path)
		if err != nil {
			return nil, fmt.Errorf("claim the key: %w", err)
		}
		got, err := fsafe.TryLock(f)
		switch {
		case errors.Is(err, errors.ErrUnsupported):
			return func() { _ = discard(f, path) }, nil // Nothing is in it.
		case err != nil:
			return nil, fmt.Errorf("claim the key: %w", errors.Join(err, f.Close()))
		case !got:
			return nil, errors.Join(ErrClaimed, f.Close())
		case isAt(f, path):
			return func() { _ = discard(f, path) }, nil // Nothing is in it.
		}
		// Its run has just removed it.
		if err := f.Close(); err != nil {
			return nil, fmt.Errorf("claim the key: %w", err)
		}
	}
	return nil, ErrClaimed
}
