package ui

import (
	"slices"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/wallets"
)

// TestTicksAreForTheTimeTheyWereDue holds that being late by a moment does not add up,
// and that time does not go back.
func TestTicksAreForTheTimeTheyWereDue(t *testing.T) {
	t.Parallel()
	a, _ := begun(t)
	now := start()
	a.cfg.Now = func() time.Time { return now }
	a.Init()
	for second := range 5 {
		due := start().Add(time.Duration(second) * time.Second)
		a.clock.due = due
		now = due.Add(mostLate - 1)
		a.Update(tickMsg{})
		if got := a.store.Now(); !got.Equal(due) {
			t.Errorf("a tick that was due at %v is for %v", due, got)
		}
		if want := due.Add(time.Second); a.clock.due.After(want) {
			t.Errorf("the next is at %v, want %v at the latest", a.clock.due, want)
		}
	}
	came := now.Add(30 * time.Millisecond)
	a.store.Apply(state.Deferred{Meta: kernel.Meta{At: came}, Effect: wallets.Fetch{}})
	a.clock.due = came.Add(-20 * time.Millisecond)
	now = came.Add(time.Millisecond)
	if a.Update(tickMsg{}); !a.store.Now().Equal(came) {
		t.Errorf("it is %v after %v", a.store.Now(), came)
	}
	now = start().Add(time.Hour) // Of a machine that slept.
	if a.Update(tickMsg{}); !a.store.Now().Equal(now) {
		t.Errorf("it is %v, want %v", a.store.Now(), now)
	}
	now = start() // The clock of the machine was set back.
	if a.Update(tickMsg{}); !a.store.Now().Equal(now) {
		t.Errorf("it is %v, want %v", a.store.Now(), now)
	}
}

// TestTheProgramIsQuietWhenNobodyIsThere ticks and presses keys.
func TestTheProgramIsQuietWhenNobodyIsThere(t *testing.T) {
	t.Parallel()
	a, _ := begun(t)
	now, told := start(), []bool(nil)
	a.cfg.Now = func() time.Time { return now }
	a.cfg.Quiet = func(quiet bool) { told = append(told, quiet) }
	a.Init()
	for _, step := range []struct {
		after time.Duration
		msg   tea.Msg
		want  []bool
	}{
		{time.Second, tickMsg{}, nil},
		{quietAfter - time.Second, tickMsg{}, []bool{true}},
		{time.Second, tickMsg{}, []bool{true}},
		{time.Second, tea.KeyPressMsg{Code: 'j', Text: "j"}, []bool{true, false}},
		{quietAfter - 1, tickMsg{}, []bool{true, false}},
		{1, tickMsg{}, []bool{true, false, true}},
		{quietAgain - 1, tickMsg{}, []bool{true, false, true}},
		{1, tickMsg{}, []bool{true, false, true, true}},
		{time.Second, tickMsg{}, []bool{true, false, true, true}},
	} {
		now = now.Add(step.after)
		a.Update(step.msg)
		if !slices.Equal(told, step.want) {
			t.Fatalf("after %v: %v, want %v", now.Sub(start()), told, step.want)
		}
	}
}

// TestCountdownsMoveOnBeats whatever ticked in between, and wait for what is due just after.
func TestCountdownsMoveOnBeats(t *testing.T) {
	t.Parallel()
	a, tick := begun(t)
	tick()
	a.store.Tick(start().Add(time.Second)) // Every lane waits for its answer: nothing else is due.
	beat := a.store.Poll.NextBeat(a.store.Now())
	for _, tc := range []struct{ ticked, rests, want time.Duration }{
		{-time.Second, time.Minute, 0},
		{-time.Second / 2, time.Minute, 0},
		{-2 * slack, time.Minute, 0},
		{-slack / 2, time.Minute, time.Second},
		{-time.Second, slack / 2, slack / 2},
		{-time.Second, -slack, -slack},
		{-time.Second, slack, 0},
	} {
		const rest = 250 * time.Millisecond // until the card under the cursor is read
		if _, _, err := a.store.Dispatch(state.SelectCard{Card: "card_0001", At: beat.Add(tc.rests - rest)}); err != nil {
			t.Fatal(err)
		}
		a.clock = clock{ticked: beat.Add(tc.ticked)}
		a.schedule()
		if got := a.clock.due.Sub(beat); got != tc.want {
			t.Errorf("after a tick %v from the beat, with something due at %v: due at %v, want %v", tc.ticked, tc.rests, got, tc.want)
		}
	}
}
