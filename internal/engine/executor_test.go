package engine_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/clipboard"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/vault"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/secrets"
)

// bubbleTime is the virtual time of a bubble, pass lets it pass.
func bubbleTime() time.Time { return time.Now() } //nolint:forbidigo // virtual time in a bubble

func pass(span time.Duration) { time.Sleep(span) } //nolint:forbidigo // virtual time in a bubble

// slowBoard is a clipboard that takes a second for each copy.
type slowBoard struct {
	mu     sync.Mutex
	copied []string
	fails  error
}

func (b *slowBoard) Copy(_ context.Context, it clipboard.Item) (clipboard.Report, error) {
	text := string(it.Secret)
	pass(time.Second)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.copied = append(b.copied, text)
	return clipboard.Report{ID: uint64(len(b.copied)), State: clipboard.Copied}, b.fails
}

// shownBy notes what effects open.
type shownBy struct{ signing, requests int }

func (o *shownBy) ShowSigning()                  { o.signing++ }
func (o *shownBy) ShowRequest(state.ShowRequest) { o.requests++ }

// begin starts an effect as Update does, and runs what blocks as a command.
func begin(x *engine.Executor, on *shownBy, events chan<- kernel.Event, effects ...kernel.Effect) {
	for _, e := range effects {
		if wait := x.Start(e, on); wait != nil {
			go func() { events <- wait() }()
		}
	}
}

func plain(seq poll.Seq, s string) secrets.CopyPlain {
	return secrets.CopyPlain{Seq: seq, Text: s, TTL: time.Minute}
}

func TestADroppedCopyIsNotMade(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		board, events := &slowBoard{}, make(chan kernel.Event, 4)
		x := engine.NewExecutor(engine.ExecutorConfig{Board: board, Vault: &vault.Vault{}, Now: bubbleTime})
		begin(x, &shownBy{}, events, plain(1, "first"), plain(2, "second"))
		x.DropCopy() // As when the screen is locked.
		pass(3 * time.Second)
		synctest.Wait()
		if len(board.copied) != 1 {
			t.Errorf("copied %q", board.copied)
		}
	})
}

func TestEffectsOnTheVaultHappenInTheirOrder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		board, events, v := &slowBoard{}, make(chan kernel.Event, 4), &vault.Vault{}
		x := engine.NewExecutor(engine.ExecutorConfig{Board: board, Vault: v, Now: bubbleTime})
		details := &api.CardDetails{ID: "card_1", HolderName: "ANN EXAMPLE"}
		name := secrets.CopyDetail{Seq: 1, Card: "card_1", Field: secrets.FieldName, TTL: time.Minute}
		begin(x, &shownBy{}, events, secrets.HoldDetails{Details: details}, name, secrets.WipeDetails{}, name)
		if _, held := v.Read("card_1", secrets.FieldName); held {
			t.Error("the details outlive the effect that wipes them")
		}
		pass(3 * time.Second)
		synctest.Wait()
		if len(board.copied) != 1 || board.copied[0] != "ANN EXAMPLE" {
			t.Errorf("copied %q", board.copied)
		}
	})
}

// TestDigitsThatNothingElseHoldsAreWipedOnceTheyAreCopied and the others are not.
func TestDigitsThatNothingElseHoldsAreWipedOnceTheyAreCopied(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		board := &slowBoard{}
		x := engine.NewExecutor(engine.ExecutorConfig{Vault: &vault.Vault{}, Board: board, Now: bubbleTime})
		events := make(chan kernel.Event, 2)
		mine, theirs := api.NewOTP("111111"), api.NewOTP("222222")
		begin(x, &shownBy{}, events, secrets.CopyOTP{Seq: 1, OTP: mine, TTL: time.Minute, Own: true})
		if !mine.IsZero() {
			t.Error("the digits stay")
		}
		pass(2 * time.Second)
		begin(x, &shownBy{}, events, secrets.CopyOTP{Seq: 2, OTP: theirs, TTL: time.Minute})
		pass(2 * time.Second)
		board.mu.Lock()
		defer board.mu.Unlock()
		if theirs.IsZero() || len(board.copied) != 2 || board.copied[0] != "111111" || board.copied[1] != "222222" {
			t.Errorf("copied %q", board.copied)
		}
	})
}

func TestCopiesAreMadeInOrderAndOnlyTheLastOfThoseThatWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		board, events := &slowBoard{}, make(chan kernel.Event, 4)
		x := engine.NewExecutor(engine.ExecutorConfig{Board: board, Vault: &vault.Vault{}, Now: bubbleTime})
		begin(x, &shownBy{}, events, plain(1, "first"), plain(2, "second"), plain(3, "third"))
		pass(3 * time.Second)
		synctest.Wait()
		if len(board.copied) != 2 || board.copied[0] != "first" || board.copied[1] != "third" {
			t.Errorf("copied %q", board.copied)
		}
		var done []poll.Seq
		for range 3 {
			if ev, ok := (<-events).(secrets.ClipChanged); ok {
				done = append(done, ev.Seq)
			}
		}
		if len(done) != 2 || done[0] != 1 || done[1] != 3 {
			t.Errorf("events of copies %v", done)
		}
		begin(x, &shownBy{}, events, plain(4, "fourth"))
		pass(2 * time.Second)
		synctest.Wait()
		if len(board.copied) != 3 {
			t.Errorf("the next copy was not made: %q", board.copied)
		}
	})
}

func TestEffectsOpenDialogsAndTheRestIsRun(t *testing.T) {
	t.Parallel()
	var ran []kernel.Effect
	run := func(e kernel.Effect) kernel.Event { ran = append(ran, e); return state.DryRunSet{On: true} }
	x, on := engine.NewExecutor(engine.ExecutorConfig{Run: run, Vault: &vault.Vault{}, Board: &slowBoard{}, Now: bubbleTime}), &shownBy{}
	if x.Start(state.ShowRequest{}, on) != nil || on.requests != 1 {
		t.Error("the request of a dry run is not shown")
	}
	if x.Start(secrets.HoldSigning{Webhook: "wh_1"}, on) != nil || on.signing != 1 {
		t.Error("the signing secret is not shown")
	}
	wait := x.Start(state.SetDryRun{On: true}, on)
	if len(ran) != 0 {
		t.Fatal("what may block was run by Start")
	}
	if ev, ok := wait().(state.DryRunSet); !ok || !ev.On || len(ran) != 1 {
		t.Errorf("ran %v", ran)
	}
}

func TestReportsOfCopiesAreEvents(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		board, events := &slowBoard{}, make(chan kernel.Event, 4)
		x := engine.NewExecutor(engine.ExecutorConfig{Board: board, Vault: &vault.Vault{}, Now: bubbleTime})
		if _, ok := x.Reported(clipboard.Report{ID: 7, State: clipboard.Cleared}); ok {
			t.Error("a copy that is not ours was reported")
		}
		begin(x, &shownBy{}, events, plain(5, "a"))
		<-events
		ev, ok := x.Reported(clipboard.Report{ID: 1, State: clipboard.Cleared})
		if c, copied := ev.(secrets.ClipChanged); !ok || !copied || c.Seq != 5 || c.State != secrets.ClipCleared {
			t.Errorf("reported %+v", ev)
		}
		begin(x, &shownBy{}, events, plain(6, "b"))
		if _, ok := x.Reported(clipboard.Report{ID: 1, State: clipboard.Replaced}); ok {
			t.Error("our own next copy was told as a replacement")
		}
		<-events
		board.fails = clipboard.ErrNoTool
		begin(x, &shownBy{}, events, plain(7, "c"))
		if c, copied := (<-events).(secrets.ClipChanged); !copied || c.State != secrets.ClipNoTool || c.Hint == "" {
			t.Errorf("without a clipboard: %+v", c)
		}
		board.fails = errors.New("it broke")
		begin(x, &shownBy{}, events, plain(8, "d"))
		if c, copied := (<-events).(secrets.ClipChanged); !copied || c.State != secrets.ClipFailed || c.Hint != "it broke" {
			t.Errorf("a failed copy: %+v", c)
		}
		begin(x, &shownBy{}, events, plain(9, ""))
		if c, copied := (<-events).(secrets.ClipChanged); !copied || c.State != secrets.ClipEmpty {
			t.Errorf("a copy of nothing: %+v", c)
		}
	})
}
