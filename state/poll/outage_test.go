package poll_test

import (
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/poll"
)

// down fails lanes at a time because nothing answers.
func (t *table) down(now time.Time, lanes ...poll.Lane) {
	for _, lane := range lanes {
		t.fail(lane, now, errUnreachable, 0)
	}
}

func TestOfflineIsWhenTheCodesReachNothingAndNoOtherLaneIsAnswered(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		happens func(*table)
		offline bool
	}{
		"all is well":                       {func(*table) {}, false},
		"codes reach nothing":               {func(p *table) { p.down(at(time.Second), poll.Codes) }, true},
		"codes and others reach nothing":    {func(p *table) { p.down(at(time.Second), poll.Codes, poll.Wallet) }, true},
		"another lane reaches nothing":      {func(p *table) { p.down(at(time.Second), poll.Wallet) }, false},
		"codes are refused":                 {func(p *table) { p.fail(poll.Codes, at(time.Second), errRefused, 0) }, false},
		"another lane has an answer since":  {func(p *table) { p.down(at(time.Second), poll.Codes); p.succeed(poll.Wallet, at(2*time.Second)) }, false},
		"another lane had an answer before": {func(p *table) { p.succeed(poll.Wallet, at(time.Second)); p.down(at(2*time.Second), poll.Codes) }, true},
		"codes are back":                    {func(p *table) { p.down(at(time.Second), poll.Codes); p.succeed(poll.Codes, at(2*time.Second)) }, false},
	} {
		p := started()
		p.succeedAll(at(0))
		c.happens(p)
		since, offline := p.Offline()
		if offline != c.offline || offline == since.IsZero() {
			t.Errorf("%s: offline %v, since %v", name, offline, since)
		}
	}
	p := started()
	p.down(at(0), poll.Codes)
	p.down(at(time.Minute), poll.Codes)
	if since, _ := p.Offline(); !since.Equal(at(0)) {
		t.Errorf("offline since %v, want since the first failure", since)
	}
}

func TestARequestFromBeforeARecoveryIsSentAgainAtOnce(t *testing.T) {
	t.Parallel()
	p := started()
	p.succeedAll(at(0))
	for range 5 {
		p.down(at(0), poll.Wallet)
	}
	p.down(at(0), poll.Codes)
	p.ask(poll.Wallet, at(time.Second))
	p.succeed(poll.Codes, at(2*time.Second))
	p.Fail(poll.Wallet, poll.Failure{Sent: at(time.Second), At: at(3 * time.Second), Err: errUnreachable})
	if got := p.wait(poll.Wallet); got != 3*time.Second+100*time.Millisecond {
		t.Errorf("due after %v", got)
	}
}

// TestWhatIsNotAskedForIsNotOffline: the hour's requests are used up, by programs elsewhere perhaps, while nothing answers. For
// as long as no request may be sent nobody knows that nothing answers, and what a user asks for is sent.
func TestWhatIsNotAskedForIsNotOffline(t *testing.T) {
	t.Parallel()
	p := started()
	p.down(at(time.Second), poll.Codes)
	p.Postpone(poll.Codes, at(2*time.Second), 200*time.Millisecond, false)
	if _, offline := p.Offline(); !offline {
		t.Error("a moment's pause says that something answers")
	}
	p.Postpone(poll.Codes, at(3*time.Second), 5*time.Minute, false)
	if _, offline := p.Offline(); offline || p.Source(poll.Codes).Err != nil {
		t.Errorf("for minutes without a request it is offline: %v", p.Source(poll.Codes).Err)
	}
	p.fail(poll.Wallet, at(time.Second), api.ErrUnauthorized, 0)
	p.down(at(time.Second), poll.Feed)
	p.Fail(poll.Codes, poll.Failure{Sent: at(4 * time.Second), At: at(4 * time.Second), Err: api.ErrRateLimited, RetryAfter: 5 * time.Minute})
	if p.Source(poll.Feed).Err != nil || p.Source(poll.Codes).Err == nil {
		t.Errorf("at the limit the feed says %v, the codes say %v", p.Source(poll.Feed).Err, p.Source(poll.Codes).Err)
	}
	if p.Source(poll.Wallet).Err == nil {
		t.Error("a refused key is forgotten")
	}
}
