package node

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/cardtop/cardtop/internal/hub/cluster/replica"
	"github.com/cardtop/cardtop/internal/hub/cluster/seal"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/settings"
)

// FuzzMirror has a leader tell whatever items: a reader takes what it understands, and its
// store reads every list of that.
func FuzzMirror(f *testing.F) {
	f.Add([]byte(`[{"kind":"listed","id":"card_1","data":{"id":"card_1","bin_id":"b","status":"active","balance":5,"label":"fb/a","created_at":"2026-11-23T10:15:00Z"}},{"kind":"age","id":"leader","data":{"leader":1}}]`))
	f.Add([]byte(`[{"kind":"transaction","id":"t","data":{"id":"t","card_id":"card_1","amount":-5,"type":"refund","created_at":"0001-01-01T00:00:00Z"}},{"kind":"listed","id":"","gone":true}]`))
	f.Add([]byte(`[{"kind":"code","id":"c","code":"AQ==","data":{"id":"c"}},{"kind":"wallet","id":"w","data":{"balance":-1}},{"kind":"deposit","id":"d","data":{}}]`))
	text, err := seal.NewKey()
	file := filepath.Join(f.TempDir(), "key")
	if err = errors.Join(err, os.WriteFile(file, []byte(text), 0o600)); err != nil {
		f.Fatal(err)
	}
	keys, err := seal.Load(file, "team")
	if err != nil {
		f.Fatal(err)
	}
	at := time.Date(2026, 11, 23, 10, 15, 0, 0, time.UTC)
	now := func() time.Time { return at }
	f.Fuzz(func(t *testing.T, data []byte) {
		var items []replica.Item
		if json.Unmarshal(data, &items) != nil {
			return
		}
		m := newMirror(keys, func() time.Duration { return time.Hour }, now)
		m.changed(items)
		m.changed(items)
		st := state.New(settings.Config{Rand: func() float64 { return 0.5 }})
		_, effects := st.Tick(at)
		for len(effects) > 0 {
			e := effects[0]
			effects = effects[1:]
			if ev := m.do(t.Context(), e); ev != nil {
				_, more := st.Apply(ev)
				effects = append(effects, more...)
			}
			if len(effects) > 100 {
				t.Fatalf("%d effects wait", len(effects))
			}
		}
		m.take()
	})
}
