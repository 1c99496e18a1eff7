package push

import (
	"strings"
	"time"

	"github.com/cardtop/cardtop/state/poll"
)

// Report is what the receiver of deliveries tells. At is this machine's clock.
type Report struct {
	At time.Time
	// Events are the names of what was delivered; an empty one stands for any.
	Events []string
	// Beat reports whether a heartbeat came, Unreached why the last one did not, empty
	// when it did.
	Beat      bool
	Unreached string
	// Refused is how many deliveries had a signature that is not of the secret.
	Refused int
}

// call is a lane that an event makes due, and how long it has rested before at least:
// an account with much traffic has an event every few seconds, and the hour's requests
// are few.
type call struct {
	lane  poll.Lane
	pause time.Duration
}

const (
	// codesPause, feedPause and cardsPause bound how often events have codes,
	// transactions and balances read.
	codesPause = 250 * time.Millisecond
	feedPause  = feedEvery
	cardsPause = balancesEvery
	// depositsPause is short: deposits are few, and money waits for them.
	depositsPause = 8 * time.Second
)

// Calls calls due with the lanes that an event is about, and how long each has rested
// before at least. Of an event that is not in the contract all of them are.
func Calls(event string, due func(lane poll.Lane, pause time.Duration)) {
	codes, feed := call{poll.Codes, codesPause}, call{poll.Feed, feedPause}
	hot, wallet, deposits := call{poll.Hot, cardsPause}, call{poll.Wallet, cardsPause}, call{poll.Deposits, depositsPause}
	all := []call{codes, feed, hot, wallet, deposits}
	switch kind, _, _ := strings.Cut(event, "."); kind {
	case "3ds":
		all = []call{codes}
	case "transaction":
		all = []call{feed, hot}
	case "card":
		all = []call{hot, wallet}
	case "deposit":
		all = []call{deposits, wallet}
	}
	for _, c := range all {
		due(c.lane, c.pause)
	}
}
