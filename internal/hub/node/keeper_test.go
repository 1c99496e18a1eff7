package node

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/cardtop/cardtop/internal/hub"
	"github.com/cardtop/cardtop/internal/hub/cluster"
	"github.com/cardtop/cardtop/internal/hub/cluster/bustest"
	"github.com/cardtop/cardtop/internal/hub/cluster/lease"
	"github.com/cardtop/cardtop/internal/hub/cluster/seal"
)

func clusterKeys(t *testing.T) *seal.Keys {
	t.Helper()
	line, err := seal.NewKey()
	file := filepath.Join(t.TempDir(), "key")
	if err = errors.Join(err, os.WriteFile(file, []byte(line), 0o600)); err != nil {
		t.Fatal(err)
	}
	keys, err := seal.Load(file, "test")
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

// TestATermThatIsOverStoresNoRequest has a leader store after the next took over, which has
// stored nothing itself yet.
func TestATermThatIsOverStoresNoRequest(t *testing.T) {
	t.Parallel()
	var bus bustest.Bus
	keys := clusterKeys(t)
	begin := func(keys *seal.Keys) (hub.Keeper, error) {
		n := &Node{cfg: Config{Bus: cluster.Bus{Asked: bus.Connect(nil)}, Keys: keys}}
		return n.keep(t.Context())
	}
	must := func(k hub.Keeper, err error) hub.Keeper {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	has := func(k hub.Keeper, want string) {
		t.Helper()
		if rows, err := k.Load(hub.ApprovalsFile); err != nil || string(rows) != want {
			t.Errorf("it has %q, not %q; %v", rows, want, err)
		}
	}
	one := must(begin(keys))
	has(one, "")
	if err := errors.Join(one.Save(hub.ApprovalsFile, []byte("a")), one.Save("claims.json", []byte("of others"))); err != nil {
		t.Fatal(err)
	}
	two := must(begin(keys))
	has(two, "a")
	if err := one.Save(hub.ApprovalsFile, []byte("a b")); !errors.Is(err, lease.ErrMoved) {
		t.Errorf("a term that is over stores: %v", err)
	}
	if err := two.Save(hub.ApprovalsFile, []byte("a c")); err != nil {
		t.Error(err)
	}
	has(must(begin(keys)), "a c")
	if _, err := begin(clusterKeys(t)); err == nil || !strings.Contains(err.Error(), "requests for approvals") {
		t.Errorf("what another cluster sealed is read: %v", err)
	}
	if k, err := (&Node{cfg: Config{Keys: keys}}).keep(t.Context()); k != nil || err != nil {
		t.Errorf("without a register: %v, %v", k, err)
	}
}

// TestAWriteWithoutAnAnswerDoesNotEndAll loses the answer of one that was stored, and the
// request of one that was not.
func TestAWriteWithoutAnAnswerDoesNotEndAll(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var bus bustest.Bus
		var fault bustest.Fault
		n := &Node{cfg: Config{Bus: cluster.Bus{Asked: bus.Connect(func(call string) bustest.Fault {
			if call != "swap" {
				return bustest.Fault{}
			}
			return fault
		})}, Keys: clusterKeys(t)}}
		k, err := n.keep(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range []bustest.Fault{{LoseAnswer: true}, {}, {LoseRequest: true}, {}, {LoseAnswer: true}, {LoseRequest: true}, {}} {
			fault = f
			if err := k.Save(hub.ApprovalsFile, []byte{byte(i)}); (err == nil) != (f == bustest.Fault{}) {
				t.Errorf("save %d: %v", i, err)
			}
		}
		next, err := n.keep(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if rows, err := next.Load(hub.ApprovalsFile); err != nil || !bytes.Equal(rows, []byte{6}) {
			t.Errorf("the next leader has %v, %v", rows, err)
		}
	})
}
