package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/hub/cluster/lease"
	"github.com/cardtop/cardtop/internal/hub/cluster/seal"
	"github.com/cardtop/cardtop/internal/push/endpoint"
	"github.com/cardtop/cardtop/state/kernel"
)

// receive opens the address of webhooks of a term; nothing where there is none. Only the
// hub that leads listens there, so that a proxy before them all finds it.
func (n *Node) receive() (address engine.Push, pushed <-chan kernel.Event, end func()) {
	if n.cfg.OpenPush == nil || n.cfg.Bus.Secret == nil {
		return nil, nil, func() {}
	}
	e, end := n.cfg.OpenPush(&signing{register: n.cfg.Bus.Secret, keys: n.cfg.Keys, url: n.cfg.PushURL})
	if e == nil {
		return nil, nil, end
	}
	return e, e.Events(), end
}

// signing is what webhooks of the hubs are signed with, sealed in a register that they
// share: the leader after this one verifies by it. It implements endpoint.Secrets for
// one term.
type signing struct {
	register lease.Register
	keys     *seal.Keys
	url      string // where they are delivered to
	revision uint64 // that was read or written last
}

// about is what the secret is sealed about.
func (s *signing) about() string { return "signing secret of webhooks to " + s.url }

// signingVersion is that of the value below.
const signingVersion = 1

type signingValue struct {
	Version int         `json:"v"`
	Sealed  seal.Sealed `json:"sealed"`
}

// Load implements endpoint.Secrets. One of another address does not open: there is none of
// this one.
func (s *signing) Load(ctx context.Context) (endpoint.Kept, error) {
	data, revision, err := s.register.Load(ctx)
	switch {
	case err != nil:
		return endpoint.Kept{}, err
	case revision == 0:
		return endpoint.Kept{}, endpoint.ErrNone
	}
	var v signingValue
	if err := json.Unmarshal(data, &v); err != nil || v.Version != signingVersion {
		return endpoint.Kept{}, errors.New("what the hubs share is of another version")
	}
	s.revision = revision
	plain, err := s.keys.Open(v.Sealed, s.about())
	if err != nil {
		return endpoint.Kept{}, fmt.Errorf("%w of this address: %w", endpoint.ErrNone, err)
	}
	defer clear(plain)
	return endpoint.Decode(plain)
}

// Save implements endpoint.Secrets. A term that is over changes nothing: the one after
// it has read what was there, or written.
func (s *signing) Save(ctx context.Context, kept endpoint.Kept) error {
	plain := kept.Encode()
	defer clear(plain)
	data, err := json.Marshal(signingValue{signingVersion, s.keys.Seal(plain, s.about())})
	if err != nil {
		return fmt.Errorf("encode the signing secret: %w", err)
	}
	next, err := s.register.Swap(ctx, s.revision, data)
	if err != nil {
		return fmt.Errorf("store the signing secret for all hubs: %w", err)
	}
	s.revision = next
	return nil
}
