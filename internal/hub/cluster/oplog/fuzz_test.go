package oplog

import (
	"testing"
)

// FuzzRecords reads whatever the log may hold: what is taken is a write to cards without
// a secret, and is the same when it is written and read again.
func FuzzRecords(f *testing.F) {
	f.Add([]byte(`{"v":1,"id":"a","number":3,"record":{"op":{"key":"k","kind":"fund","card":"card_1","amount":5,"request":{"method":"POST","route":"/cards/{card_id}/fund","path":"/cards/card_1/fund","body":"eyJhbW91bnQiOjV9"}},"state":"sent","tries":1}}`))
	f.Add([]byte(`{"v":1,"id":"a","number":3}`))
	f.Add([]byte(`{"v":1,"record":{"op":{"key":"","request":{"method":"GET"}},"state":"x"}}`))
	f.Add([]byte(`{"v":1,"record":{"op":{"key":"k","request":{"method":"POST","path":"/cards/4111111111111111"}},"state":"done"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := decode(data)
		if err != nil || m.Record == nil {
			return
		}
		r := m.Record
		if w, has := r.Op.Request.Write(); has && (HasCardNumber(w.Path) || w.Sensitive) {
			t.Errorf("a request with a card number is taken: %d bytes", len(w.Path))
		}
		again, err := m.encode()
		if err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		back, err := decode(again)
		if err != nil || back.Record == nil || back.Record.Op.Key != r.Op.Key || back.Record.State != r.State || back.Number != m.Number {
			t.Errorf("read again it is another: %v", err)
		}
	})
}
