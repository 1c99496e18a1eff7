package node

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/cardtop/cardtop/internal/hub"
	"github.com/cardtop/cardtop/internal/hub/cluster/lease"
	"github.com/cardtop/cardtop/internal/hub/cluster/seal"
)

// keepFor is how long a request for an approval may take to be stored.
const keepFor = 5 * time.Second

// keepTries is how often a new term tries to make the register its own.
const keepTries = 5

// keeper stores the requests that wait for a lead in a register that the hubs share, so
// that the next leader goes on with them. It implements hub.Keeper for one term: after it
// the register has another revision, and nothing is stored. Claims are told as they are
// made, and not stored. Saves come one at a time.
type keeper struct {
	register lease.Register
	keys     *seal.Keys
	revision uint64 // that was written last
	rows     []byte // that the term began with
	tried    []sum  // of what was written without an answer since
}

// keptVersion is that of the value below.
const keptVersion = 1

type keptValue struct {
	Version int         `json:"v"`
	Sealed  seal.Sealed `json:"sealed"`
}

// aboutKept is what the requests are sealed about.
const aboutKept = "requests for approvals"

// keep takes the requests over from the leader before; nil where hubs share no register
// for them.
func (n *Node) keep(ctx context.Context) (hub.Keeper, error) {
	if n.cfg.Bus.Asked == nil {
		return nil, nil //nolint:nilnil // a hub without a keeper is one
	}
	k := &keeper{register: n.cfg.Bus.Asked, keys: n.cfg.Keys}
	for range keepTries {
		err := k.takeOver(ctx)
		if err == nil {
			return k, nil
		}
		if !errors.Is(err, lease.ErrMoved) {
			return nil, fmt.Errorf("take over requests for approvals: %w", err)
		}
	}
	return nil, fmt.Errorf("take over requests for approvals: %w", lease.ErrMoved)
}

// takeOver reads what is stored, and writes it anew: the leader before can store nothing
// after that.
func (k *keeper) takeOver(ctx context.Context) error {
	data, revision, err := k.register.Load(ctx)
	if err != nil {
		return err
	}
	if k.rows, k.revision = nil, revision; revision > 0 {
		var v keptValue
		if err := json.Unmarshal(data, &v); err != nil || v.Version != keptVersion {
			return errors.New("they are of another version")
		}
		if k.rows, err = k.keys.Open(v.Sealed, aboutKept); err != nil {
			return err
		}
	}
	return k.store(ctx, k.rows)
}

// Load implements hub.Keeper.
func (k *keeper) Load(name string) ([]byte, error) {
	if name != hub.ApprovalsFile {
		return nil, nil
	}
	return k.rows, nil
}

// Save implements hub.Keeper. What of it is answered with an error may be stored: who asks
// again under the same key finds it.
func (k *keeper) Save(name string, rows []byte) error {
	if name != hub.ApprovalsFile {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), keepFor)
	defer cancel()
	return k.store(ctx, rows)
}

func (k *keeper) store(ctx context.Context, rows []byte) error {
	data, err := json.Marshal(keptValue{keptVersion, k.keys.Seal(rows, aboutKept)})
	if err != nil {
		return fmt.Errorf("encode requests for approvals: %w", err)
	}
	next, err := k.register.Swap(ctx, k.revision, data)
	if errors.Is(err, lease.ErrMoved) && k.wrote(ctx) {
		next, err = k.register.Swap(ctx, k.revision, data)
	}
	switch {
	case err == nil:
		k.revision, k.tried = next, nil
		return nil
	case !errors.Is(err, lease.ErrMoved):
		k.tried = append(k.tried, sha256.Sum256(data))
	}
	return fmt.Errorf("store requests for approvals for all hubs: %w", err)
}

// wrote reports whether it was this term that moved the register: a write that was not
// answered. What it wrote is then what comes next to.
func (k *keeper) wrote(ctx context.Context) bool {
	data, revision, err := k.register.Load(ctx)
	if err != nil || !slices.Contains(k.tried, sha256.Sum256(data)) {
		return false
	}
	k.revision = revision
	return true
}
