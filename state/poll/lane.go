package poll

import (
	"time"

	"github.com/cardtop/cardtop/internal/lang"
)

// Lane is one polled resource.
type Lane uint8

// The lanes, most urgent first: the order in which they resume after an
// outage.
const (
	Codes Lane = iota
	Wallet
	Feed
	Hot
	Sweep
	History
	Deposits
	// Lanes is how many there are.
	Lanes
)

// Attention is how closely the user watches the dashboard.
type Attention uint8

// The grades of attention.
const (
	Focused Attention = iota
	Unfocused
	Awaiting   // a code is waited for
	Background // the account is not the one on the screen
	attentions
)

// plan is one row of the schedule. An interval of zero polls once.
type plan struct {
	name     string
	interval [attentions]time.Duration
	maxWait  time.Duration
}

// schedule holds the intervals. The hour's 10,000 requests are the limit,
// codes come first, and only the sweep may cost more with more cards.
var schedule = [Lanes]plan{
	Codes:    {lang.N("codes"), [attentions]time.Duration{time.Second, 3 * time.Second, armedEvery, backgroundCodes}, codesWait},
	Wallet:   {lang.N("wallet"), every(10 * time.Second), 30 * time.Second},
	Feed:     {lang.N("transactions"), every(3 * time.Second), 30 * time.Second},
	Hot:      {lang.N("cards"), every(10 * time.Second), 30 * time.Second},
	Sweep:    {lang.N("all cards"), every(5 * time.Minute), 30 * time.Second},
	History:  {lang.N("history"), every(0), 30 * time.Second},
	Deposits: {lang.N("deposits"), every(time.Minute), 30 * time.Second},
}

// every is the interval of a lane that rests four times longer while the
// terminal has no focus, and a minute at least in the background.
func every(d time.Duration) [attentions]time.Duration {
	if d == 0 {
		return [attentions]time.Duration{}
	}
	return [attentions]time.Duration{d, 4 * d, d, max(4*d, backgroundLeast)}
}

const (
	// armedEvery is how often codes are read while a checkout is armed.
	armedEvery = 500 * time.Millisecond
	// backgroundCodes is how often codes are read of an account that is not the
	// one on the screen, backgroundLeast the shortest pause of its other lanes.
	backgroundCodes = 5 * time.Second
	backgroundLeast = time.Minute
	// codesWait is the longest pause before codes are asked for again: they are
	// read within five seconds of the network's return.
	codesWait = 4 * time.Second
	// sweepCost is how long a sweep takes for each page it reads: 180 pages an
	// hour, so that all lanes together stay under 60 % of the hour, with what a
	// usual day's codes and late transactions cost besides.
	sweepCost = 20 * time.Second
)

// String is the name of the lane in the request budget.
func (l Lane) String() string { return schedule[l].name }
