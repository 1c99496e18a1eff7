package node

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/hub/cluster/seal"
	"github.com/cardtop/cardtop/internal/push/endpoint"
)

// oneValue is a register in memory.
type oneValue struct {
	data     []byte
	revision uint64
}

func (o *oneValue) Load(context.Context) ([]byte, uint64, error) { return o.data, o.revision, nil }

func (o *oneValue) Swap(_ context.Context, last uint64, data []byte) (uint64, error) {
	if last != o.revision {
		return 0, errors.New("moved")
	}
	o.data, o.revision = data, o.revision+1
	return o.revision, nil
}

// TestTheSecretOfAnotherAddressIsNone: a webhook that is registered for it delivers
// elsewhere. The next secret replaces it.
func TestTheSecretOfAnotherAddressIsNone(t *testing.T) {
	t.Parallel()
	text, err := seal.NewKey()
	file := filepath.Join(t.TempDir(), "key")
	if err = errors.Join(err, os.WriteFile(file, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
	keys, err := seal.Load(file, "team")
	if err != nil {
		t.Fatal(err)
	}
	shared := &oneValue{}
	of := func(url string) *signing { return &signing{register: shared, keys: keys, url: url} }
	if _, err := of("https://a").Load(t.Context()); !errors.Is(err, endpoint.ErrNone) {
		t.Fatalf("at first: %v", err)
	}
	if err := of("https://a").Save(t.Context(), endpoint.Kept{Webhook: "wh_1", Secret: api.NewSigningSecret("whsec_1")}); err != nil {
		t.Fatal(err)
	}
	if kept, err := of("https://a").Load(t.Context()); err != nil || kept.Webhook != "wh_1" || kept.Secret.Expose() != "whsec_1" {
		t.Errorf("the same address: %v, %v", kept.Webhook, err)
	}
	other := of("https://b")
	if kept, err := other.Load(t.Context()); !errors.Is(err, endpoint.ErrNone) || kept.Webhook != "" {
		t.Errorf("another address: %v, %v", kept.Webhook, err)
	}
	if err := other.Save(t.Context(), endpoint.Kept{Webhook: "wh_2", Secret: api.NewSigningSecret("whsec_2")}); err != nil {
		t.Errorf("it does not replace the old one: %v", err)
	}
}
