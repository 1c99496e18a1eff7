package state

import "time"

// Fate is the latest word on an operation, in the journal and in the history.
type Fate = string

// The fates. An operation of which there is none was never begun: nothing of
// it was sent.
const (
	// FateBegun: its request may have been sent, no outcome is recorded.
	FateBegun Fate = "begun"
	// FateDone: the server confirmed it.
	FateDone Fate = "done"
	// FateRefused: the server did not do it; in the journal, or it never left
	// this machine.
	FateRefused Fate = "refused"
	// FateNotSent: it never left this machine, so nobody refused it. The history
	// alone says so.
	FateNotSent Fate = "not-sent"
	// FateUnknown: it may have acted.
	FateUnknown Fate = "unknown"
	// FateJudgedDone and FateJudgedNotDone: no answer told, what was read since
	// did.
	FateJudgedDone    Fate = "judged-done"
	FateJudgedNotDone Fate = "judged-not-done"
	// FateDismissed: a person let go of it and nobody knows.
	FateDismissed Fate = "dismissed"
)

// Word is a fate with its time, this machine's clock: when it was
// said, and of what has no answer, when it last began.
type Word struct {
	Fate Fate
	At   time.Time
}

// Since gives the word that counts when a later book tells another. What is
// settled stays; else the later book has to be about the latest try, and one
// from before says nothing of it.
func (w Word) Since(later Word) Word {
	open := !Settled(w.Fate) || w.Fate == FateDismissed
	if open && later.At.After(w.At) {
		return later
	}
	return w
}

// Fates lists the words.
func Fates() []Fate {
	return []Fate{FateBegun, FateDone, FateRefused, FateNotSent, FateUnknown, FateJudgedDone, FateJudgedNotDone, FateDismissed}
}

// Settled tells whether a fate is the last word.
func Settled(f Fate) bool { return f != "" && f != FateBegun && f != FateUnknown }
