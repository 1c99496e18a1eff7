package lease

import "testing"

// FuzzValue reads whatever the register may hold: what is taken is the same when it is
// written and read again.
func FuzzValue(f *testing.F) {
	f.Add([]byte(`{"v":1,"token":"t","name":"a","number":3,"ttl_ms":3000}`))
	f.Add([]byte(`{"v":1,"ttl_ms":-9223372036854775808,"free":true}`))
	f.Add([]byte(`{"v":2}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := decode(data)
		if err != nil {
			return
		}
		again, err := encode(v)
		if err != nil {
			t.Fatal(err)
		}
		if back, err := decode(again); err != nil || back != v {
			t.Errorf("%+v is read again as %+v, %v", v, back, err)
		}
	})
}
