package oplog_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/cardtop/cardtop/internal/hub/cluster/bustest"
	"github.com/cardtop/cardtop/internal/hub/cluster/oplog"
	"github.com/cardtop/cardtop/internal/hub/cluster/seal"
)

func clusterKeys(t *testing.T, line, cluster string) *seal.Keys {
	t.Helper()
	file := filepath.Join(t.TempDir(), "key")
	must(t, os.WriteFile(file, []byte(line), 0o600))
	k, err := seal.Load(file, cluster)
	must(t, err)
	return k
}

// stored is a message as it is in the stream.
type stored struct {
	at      uint64
	subject string
	data    []byte
}

// recorder notes what is appended.
type recorder struct {
	*bustest.Conn
	last stored
}

func (r *recorder) Append(ctx context.Context, last uint64, subject string, data []byte) (uint64, error) {
	n, err := r.Conn.Append(ctx, last, subject, data)
	r.last = stored{n, subject, data}
	return n, err
}

// TestAnOperationThatNoHubBeganIsNotSent has somebody on the servers add operations,
// which the next leader would send, and change what became of others.
func TestAnOperationThatNoHubBeganIsNotSent(t *testing.T) {
	line, err := seal.NewKey()
	must(t, err)
	for _, tt := range []struct {
		name  string
		forge func(t *testing.T, sent, done stored) (subject string, data []byte)
	}{
		{"made up", func(_ *testing.T, sent, _ stored) (string, []byte) {
			plain := sent.data[strings.Index(string(sent.data), "{"):]
			return "op.x", []byte(strings.ReplaceAll(string(plain), "k1", "k2"))
		}},
		{"of another cluster", func(t *testing.T, sent, done stored) (string, []byte) {
			t.Helper()
			plain := sent.data[strings.Index(string(sent.data), "{"):]
			return sent.subject, clusterKeys(t, line, "other").Sign(plain, "operation "+string(rune('0'+done.at+1)))
		}},
		{"again", func(_ *testing.T, sent, _ stored) (string, []byte) { return sent.subject, sent.data }},
		{"again as another", func(_ *testing.T, sent, _ stored) (string, []byte) { return "op.y", sent.data }},
		{"nonsense", func(_ *testing.T, _, done stored) (string, []byte) { return done.subject + "x", []byte("x") }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var bus bustest.Bus
				k := clusterKeys(t, line, "one")
				r := &recorder{Conn: bus.Connect(nil)}
				a, err := oplog.Open(t.Context(), oplog.Signed(r, k), held{number: 1})
				must(t, err)
				must(t, a.Begin(t.Context(), fund(t, "k1")))
				sent := r.last
				must(t, a.End(t.Context(), "k1", oplog.Done, 1))
				subject, data := tt.forge(t, sent, r.last)
				if subject == sent.subject {
					subject += "z" // The stream keeps one of a subject: what was done stays.
				}
				_, err = bus.Connect(nil).Append(t.Context(), r.last.at, subject, data)
				must(t, err)
				must(t, a.Begin(t.Context(), fund(t, "k3"))) // It goes on.
				b, err := oplog.Open(t.Context(), oplog.Signed(bus.Connect(nil), k), held{number: 2})
				must(t, err)
				if got := states(b); got != "k3 sent 1" {
					t.Errorf("the next leader finds %q", got)
				}
				if r, ok := b.Find("k1"); !ok || r.State != oplog.Done {
					t.Errorf("k1 is %v, %v", r.State, ok)
				}
			})
		})
	}
}

// TestALogOfAnotherKeyIsNotTakenForEmpty opens a log with the key of other hubs.
func TestALogOfAnotherKeyIsNotTakenForEmpty(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var bus bustest.Bus
		for i, want := range []error{nil, oplog.ErrForeign} {
			line, err := seal.NewKey()
			must(t, err)
			ctx, cancel := context.WithCancel(short(t))
			_, err = oplog.Open(ctx, oplog.Signed(bus.Connect(nil), clusterKeys(t, line, "one")), held{number: uint64(i + 1)})
			cancel()
			if !errors.Is(err, want) {
				t.Errorf("opened: %v, want %v", err, want)
			}
		}
		if n := bus.Len(); n != 1 {
			t.Errorf("%d messages", n)
		}
	})
}
