package journal

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/storage/fsafe"
	"github.com/cardtop/cardtop/state"
)

// Claim makes a key that the user chose this run's until it is released or the run
// ends in any way, so that two runs with it do not both find that nothing was
// begun. Where files cannot be locked it does not claim: then the server alone
// holds that the key acts once.
func (j *Journal) Claim(key api.IdempotencyKey) (release func(), err error) {
	release, mine, err := j.lockName("key-", string(key))
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		return release, nil
	case err != nil:
		return nil, fmt.Errorf("claim the key: %w", err)
	case !mine:
		return nil, state.ErrKeyClaimed
	}
	return release, nil
}

// ClaimRule makes a rule this run's until it is released or the run ends in any way;
// false when it is another's. Where files cannot be locked nobody can know, and the
// error is errors.ErrUnsupported.
func (j *Journal) ClaimRule(name string) (release func(), mine bool, err error) {
	release, mine, err = j.lockName("rule-", name)
	if err != nil {
		if release != nil {
			release()
		}
		return nil, false, fmt.Errorf("lock the rule: %w", err)
	}
	return release, mine, nil
}

// lockName locks the file of a name; false when another run has it locked. Where
// files cannot be locked it returns errors.ErrUnsupported and what removes the file.
func (j *Journal) lockName(kind, name string) (release func(), mine bool, err error) {
	if j.dir == "" {
		return func() {}, true, nil
	}
	sum := sha256.Sum256([]byte(name))
	path := filepath.Join(j.dir, kind+hex.EncodeToString(sum[:16])+".lock")
	for range names {
		f, err := fsafe.OpenAppend(path)
		if err != nil {
			return nil, false, err
		}
		got, err := fsafe.TryLock(f)
		release = func() { _ = discard(f, path) } // Nothing is in it.
		switch {
		case errors.Is(err, errors.ErrUnsupported):
			return release, false, err
		case err != nil:
			return nil, false, errors.Join(err, f.Close())
		case !got:
			return nil, false, f.Close()
		case isAt(f, path):
			return release, true, nil
		}
		// Its run has just removed it.
		if err := f.Close(); err != nil {
			return nil, false, err
		}
	}
	return nil, false, nil
}
