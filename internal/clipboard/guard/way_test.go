package guard

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/internal/clipboard/wire"
)

// TestAGuardLetsGoOfWhatAnotherHasCopiedSince: the same number, copied by a
// dashboard that was started again, is that one's to clear.
func TestAGuardLetsGoOfWhatAnotherHasCopiedSince(t *testing.T) {
	for name, tell := range map[string]func(a, b *bench, f *fakeBoard){
		"after the goodbye": func(a, b *bench, f *fakeBoard) {
			a.copy(1, "4242", 20*time.Second)
			a.ask(wire.Frame{Op: wire.Bye, Now: true})
			a.expect(50*time.Millisecond, "cleared 1")
			b.copy(1, "4242", 20*time.Second)
			a.after(4 * time.Second)
			if f.get() != "4242" {
				t.Error("it was cleared by the guard of the one before")
			}
			b.expect(15900 * time.Millisecond)
			b.expect(200*time.Millisecond, "cleared 1")
		},
		"while both run": func(a, b *bench, f *fakeBoard) {
			a.copy(1, "4242", 10*time.Second)
			a.expect(5 * time.Second)
			b.copy(1, "4242", 20*time.Second)
			a.expect(6*time.Second, "other 1")
			if f.get() != "4242" {
				t.Error("it was cleared at the end of the copy before")
			}
			b.expect(15*time.Second, "cleared 1")
		},
		"when it is told to clear now": func(a, b *bench, f *fakeBoard) {
			a.copy(1, "4242", 10*time.Second)
			b.copy(1, "4242", 20*time.Second)
			a.ask(wire.Frame{Op: wire.Clear})
			a.expect(time.Millisecond, "other 1")
			if f.get() != "4242" {
				t.Error("it was cleared")
			}
		},
		"not of what it copied itself after that": func(a, b *bench, f *fakeBoard) {
			a.copy(1, "4242", 10*time.Second)
			b.copy(1, "777", 20*time.Second)
			a.copy(2, "999", 5*time.Second)
			a.after(6 * time.Second)
			if f.get() != "" {
				t.Errorf("it stays: %q", f.get())
			}
		},
		"not when the other's copy failed": func(a, b *bench, f *fakeBoard) {
			a.copy(1, "4242", 5*time.Second)
			f.fail(errStuck)
			b.copy(1, "4242", 20*time.Second)
			f.fail(nil)
			a.after(6 * time.Second)
			if f.get() != "" {
				t.Errorf("it stays: %q", f.get())
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f, dir := &fakeBoard{}, t.TempDir()
				a, b := newBenchOf(t, "one", dir, f), newBenchOf(t, "two", dir, f)
				defer b.leave()
				defer a.leave()
				tell(a, b, f)
			})
		})
	}
}

// TestAGuardThatTakesOverStaysResponsible: another dashboard's claim holds
// against it as well, its own dashboard's does not.
func TestAGuardThatTakesOverStaysResponsible(t *testing.T) {
	for newer, want := range map[bool]string{false: "", true: "4242"} {
		synctest.Test(t, func(t *testing.T) {
			f, dir := &fakeBoard{}, t.TempDir()
			first, other := newBenchOf(t, "one", dir, f), newBenchOf(t, "two", dir, f)
			first.copy(1, "4242", 30*time.Second)
			next := newBenchOf(t, "one", dir, f)
			next.ask(wire.Frame{Op: wire.Adopt, ID: 1, TTL: 2 * time.Second, Digests: [][]byte{next.key.Sum([]byte("4242"))}})
			if newer {
				other.copy(1, "4242", 30*time.Second)
			}
			next.after(3 * time.Second)
			if f.get() != want {
				t.Errorf("another copied it: %v, and the clipboard holds %q", newer, f.get())
			}
			first.leave()
			next.leave()
			other.leave()
		})
	}
}
