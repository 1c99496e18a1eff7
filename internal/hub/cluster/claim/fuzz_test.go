package claim

import (
	"testing"
	"time"
)

// FuzzValue sees whatever the table may hold: what is not understood keeps nobody from
// anything, and an older value changes nothing.
func FuzzValue(f *testing.F) {
	f.Add("code 1", uint64(4), []byte(`{"v":1,"who":"ann","token":"t","ttl_ms":60000}`), []byte(`{"v":1,"token":"u","free":true}`))
	f.Add("", uint64(0), []byte(`{"v":9,"ttl_ms":9223372036854775807}`), []byte(nil))
	f.Fuzz(func(t *testing.T, name string, revision uint64, data, older []byte) {
		now := time.Hour
		c := New(nil, func() time.Duration { return now })
		c.see(name, revision, data)
		before := c.List()
		c.see(name, revision, older)
		if after := c.List(); len(after) != len(before) {
			t.Errorf("an older value makes %d claims of %d", len(after), len(before))
		}
		for _, claim := range before {
			if claim.What != name || claim.Age != 0 {
				t.Errorf("%+v", claim)
			}
		}
		now += 1 << 62
		c.List()
	})
}
