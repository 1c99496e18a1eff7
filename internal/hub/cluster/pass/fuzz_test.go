package pass_test

import (
	"context"
	"encoding/binary"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/cardtop/cardtop/internal/hub/cluster/pass"
	"github.com/cardtop/cardtop/internal/hub/cluster/seal"
)

// FuzzMessages sends whatever comes to the leader, in the clear and under the key of the
// hubs, and has whatever come back as the answer. Without the key nothing is done; an
// answer of another is unknown.
func FuzzMessages(f *testing.F) {
	whole := func(head string) []byte {
		return append(binary.BigEndian.AppendUint32(nil, uint32(len(head))), head...)
	}
	f.Add([]byte{}, []byte{})
	f.Add(whole(`{"v":1,"id":"a","key":"AAAA","left_ms":1000,"method":"GET","uri":"/v1/cards"}`), []byte{0})
	f.Add(whole(`{"v":1,"left_ms":9223372036854775807}`), []byte{1, 2, 3})
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, '{'}, whole(`{}`))
	text, err := seal.NewKey()
	file := filepath.Join(f.TempDir(), "key")
	if err = errors.Join(err, os.WriteFile(file, []byte(text), 0o600)); err != nil {
		f.Fatal(err)
	}
	own, err := seal.Load(file, "team")
	must(f, err)
	f.Fuzz(func(t *testing.T, data, answer []byte) {
		l, asked := newLine(), 0
		c := pass.NewChannel(l, own, clock())
		stop, err := c.Serve(t.Context(), 4, func(context.Context, pass.Request) (pass.Answer, bool) {
			asked++
			return pass.Answer{Status: http.StatusOK, Body: []byte("{}")}, true
		})
		must(t, err)
		serve := l.listeners["ask.4"]
		if out := serve(data); len(out) > 0 || asked > 0 {
			t.Errorf("what was not sealed is answered: %d", asked)
		}
		serve(own.Seal(data, "request to ask.3")) // To another leader.
		if asked > 0 {
			t.Error("a request to another leader is done")
		}
		serve(own.Seal(data, "request to ask.4"))
		must(t, stop())
		l.listeners["ask.4"] = func([]byte) []byte { return answer }
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if a, err := c.Ask(ctx, 4, pass.Request{Method: http.MethodPost, URI: "/v1/cards"}); err == nil || a.Status != 0 {
			t.Errorf("an answer that nobody sealed is taken: %d", a.Status)
		}
	})
}
