package hub

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestManyWhoAskAtOnceHaveOneAnswerMade: while it is made nobody makes another, and after
// a change it is made anew.
func TestManyWhoAskAtOnceHaveOneAnswerMade(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var p pages
		var made, kept atomic.Int32
		ask := func() (wait func(), goOn chan struct{}) {
			goOn = make(chan struct{})
			var all sync.WaitGroup
			for range 50 {
				all.Go(func() {
					a, ok, err := p.find(t.Context(), "k", func() (answer, error) {
						made.Add(1)
						<-goOn
						return answer{memory: true, body: []byte("x")}, nil
					})
					if ok {
						kept.Add(1)
					}
					if err != nil || string(a.body) != "x" {
						t.Errorf("%q, %v", a.body, err)
					}
				})
			}
			synctest.Wait()
			return all.Wait, goOn
		}
		wait, goOn := ask()
		close(goOn)
		wait()
		if made.Load() != 1 || kept.Load() != 49 {
			t.Errorf("%d were made, %d kept", made.Load(), kept.Load())
		}
		wait, goOn = ask()
		p.changed()
		later, laterOn := ask() // They are not given what was read before the change.
		close(goOn)
		close(laterOn)
		wait()
		later()
		if made.Load() != 2 {
			t.Errorf("%d were made", made.Load())
		}
	})
}

// TestWhatIsOfOneAloneIsMadeForEach: an answer with a secret, an error and one whose maker
// panics go to nobody else, and nobody waits for them for ever.
func TestWhatIsOfOneAloneIsMadeForEach(t *testing.T) {
	t.Parallel()
	failed := errors.New("failed")
	for name, handle := range map[string]func() (answer, error){
		"a secret": func() (answer, error) { return answer{memory: true, wipe: true}, nil },
		"an error": func() (answer, error) { return answer{memory: true}, failed },
		"a panic":  func() (answer, error) { panic("no") },
	} {
		synctest.Test(t, func(t *testing.T) {
			var p pages
			var made atomic.Int32
			goOn := make(chan struct{})
			var all sync.WaitGroup
			for range 3 {
				all.Go(func() {
					defer func() { _ = recover() }() // As the server does.
					_, kept, _ := p.find(t.Context(), "k", func() (answer, error) {
						made.Add(1)
						<-goOn
						return handle()
					})
					if kept {
						t.Errorf("%s is given to another", name)
					}
				})
			}
			synctest.Wait()
			gone, cancel := context.WithCancel(t.Context())
			cancel()
			if _, _, err := p.find(gone, "k", handle); !errors.Is(err, context.Canceled) {
				t.Errorf("who has gone waits: %v", err)
			}
			close(goOn)
			all.Wait()
			if made.Load() != 3 || len(p.entries) != 0 {
				t.Errorf("%s: %d were made, %d kept", name, made.Load(), len(p.entries))
			}
		})
	}
}

// TestAReadThatPanicsDoesNotHangItsName holds that the next one reads again.
func TestAReadThatPanicsDoesNotHangItsName(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		c := newCache(time.Now) //nolint:forbidigo // virtual
		func() {
			defer func() { _ = recover() }() // As the server does.
			_, _, _ = c.get(ctx, "name", time.Minute, func() ([]byte, error) { panic("read") })
		}()
		body, _, err := c.get(ctx, "name", time.Minute, func() ([]byte, error) { return []byte("read"), nil })
		if string(body) != "read" || err != nil {
			t.Errorf("%q, %v", body, err)
		}
	})
}
