package replica_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/internal/hub/cluster/replica"
)

// TestWhatIsNotOfTheLeaderCountsForNobody has somebody on the servers write what they
// like, and again what a leader wrote. Nor does it pass for a sign that a leader is there.
func TestWhatIsNotOfTheLeaderCountsForNobody(t *testing.T) {
	made := []byte(`{"v":2,"number":5,"index":9,"items":[{"kind":"listed","id":"c1","data":{"id":"c1","status":"active","balance":1,"label":"forged"}}]}`)
	for _, tt := range []struct {
		name  string
		forge func(f *feed) []byte
	}{
		{"not signed", func(*feed) []byte { return made }},
		{"of another cluster", func(*feed) []byte { return keys(t).Sign(made, "change") }},
		{"signed as something else", func(f *feed) []byte { return f.keys.Sign(made, "snapshot") }},
		{"altered", func(f *feed) []byte {
			signed := f.keys.Sign(made, "change")
			signed[len(signed)-20] ^= 1
			return signed
		}},
		{"told again", func(f *feed) []byte { return f.messages[1] }},
		{"of a later lease", func(*feed) []byte { return []byte(`{"v":2,"number":99,"index":1}`) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFeed(t)
				a, b := join(t, f), join(t, f)
				p := lead(t, a, 5)
				must(t, p.Publish(t.Context(), card(t, "c1", "one")))
				must(t, p.Publish(t.Context(), card(t, "c1", "two")))
				time.Sleep(time.Second) //nolint:forbidigo // virtual time in a bubble
				_, err := f.Publish(t.Context(), tt.forge(f))
				must(t, err)
				synctest.Wait()
				if b.has() != "c1=two" || b.Leader() != 5 || b.Age() != time.Second {
					t.Errorf("it has %q of lease %d, heard %v ago", b.has(), b.Leader(), b.Age())
				}
				must(t, p.Publish(t.Context(), card(t, "c2", "three")))
				synctest.Wait()
				if a.has() != "c1=two c2=three" || b.has() != a.has() {
					t.Errorf("later a has %q, b %q", a.has(), b.has())
				}
			})
		})
	}
}

// TestWhatIsWithheldIsMissed takes a message out, or stores it behind the one that came
// after it. Hubs wait then, and do not take an old state for the one of now.
func TestWhatIsWithheldIsMissed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFeed(t)
		a, b := join(t, f), join(t, f)
		p := lead(t, a, 5)
		must(t, p.Publish(t.Context(), card(t, "c1", "one")))
		synctest.Wait()
		f.steal = true
		must(t, p.Publish(t.Context(), card(t, "c1", "two")))
		must(t, p.Publish(t.Context(), card(t, "c2", "two")))
		_, err := f.Publish(t.Context(), f.stolen)
		must(t, err)
		must(t, p.Publish(t.Context()))
		synctest.Wait()
		if b.has() != "c1=two" || !p.Misses() {
			t.Errorf("it has %q, the leader knows: %v", b.has(), p.Misses())
		}
		p.Mend()
		must(t, p.Publish(t.Context(), card(t, "c1", "three"), card(t, "c2", "three")))
		must(t, p.Publish(t.Context(), card(t, "c3", "three")))
		synctest.Wait()
		if a.has() != "c1=three c2=three c3=three" || b.has() != a.has() || p.Misses() {
			t.Errorf("a %q, b %q", a.has(), b.has())
		}
	})
}

// TestAForgedSnapshotIsNone has a hub join where somebody replaced the snapshot.
func TestAForgedSnapshotIsNone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFeed(t)
		a := join(t, f)
		p := lead(t, a, 5)
		must(t, p.Publish(t.Context(), card(t, "c1", "one")))
		synctest.Wait()
		for _, about := range []string{"", "change"} {
			data := []byte(`{"v":2,"sequence":9,"number":9,"items":[{"kind":"listed","id":"c1","data":{"id":"c1","status":"active","balance":1,"label":"forged"}}]}`)
			if about != "" {
				data = f.keys.Sign(data, about)
			}
			must(t, f.Save(t.Context(), data))
			b := join(t, f)
			<-b.Ready()
			if b.has() != "c1=one" || b.Leader() != 5 {
				t.Errorf("it has %q of lease %d", b.has(), b.Leader())
			}
		}
		must(t, p.Snapshot(t.Context()))
		f.drop(3)
		b := join(t, f)
		<-b.Ready()
		if b.has() != "c1=one" {
			t.Errorf("from a snapshot of the leader it has %q", b.has())
		}
	})
}

// TestACodeIsOfItsCard has somebody put a sealed code to another card.
func TestACodeIsOfItsCard(t *testing.T) {
	k := keys(t)
	i, err := replica.PutCode(k, challenge("3ds_1", "card_1", "482913"))
	must(t, err)
	if c, err := replica.GetCode(k, moved(t, i, `"card_1"`, `"card_2"`)); err == nil || !c.OTP.IsZero() {
		t.Errorf("the code of another card opens, %v", err)
	}
	if c, err := replica.GetCode(k, moved(t, i, `"3ds_1"`, `"3ds_2"`)); err == nil || !c.OTP.IsZero() {
		t.Errorf("the code of another challenge opens, %v", err)
	}
}
