package state

import (
	"strconv"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
)

// Request is one request that left this machine, as much of it as may be
// shown: the route's template and not the path, no query, no body.
type Request struct {
	// N numbers the requests of this run from 1.
	N             uint64
	At            time.Time // when it was over, this machine's clock
	Method, Route string
	Status        int // 0: no answer
	Took          time.Duration
	ID            api.Text // at the service; empty when it told none
	Err           error
}

// requestsKept bounds how many requests are held.
const requestsKept = 500

// RequestsTable keeps the last requests in a ring.
type RequestsTable struct {
	*core

	ring []Request
	n    uint64 // how many there were
	news bool
}

func (b *RequestsTable) add(list []Request) {
	for _, r := range list {
		b.n++
		r.N = b.n
		if len(b.ring) < requestsKept {
			b.ring = append(b.ring, r)
		} else {
			b.ring[(b.n-1)%requestsKept] = r
		}
		b.news = true
	}
}

// take tells whether there are new ones, once.
func (b *RequestsTable) take() Topic {
	if !b.news {
		return 0
	}
	b.news = false
	return TopicRequests
}

// Requests tells how many of the last requests are held; RequestAt gives them.
func (r *RequestsTable) All() int { return len(r.ring) }

// RequestAt gives one of the last requests, 0 for the newest.
func (r *RequestsTable) At(i int) Request {
	b := r
	if i < 0 || i >= len(b.ring) {
		return Request{}
	}
	return b.ring[(b.n-1-uint64(i))%requestsKept]
}

// Failed tells whether it brought nothing.
func (r Request) Failed() bool { return r.Err != nil }

// Cost is what it counts against: one of the minute and of the hour, and some
// against a limit of their own (contract, Limits).
func (r Request) Cost() string {
	switch {
	case r.Method == "POST" && r.Route == "/cards":
		return "1 + create"
	case strings.HasSuffix(r.Route, "/details"):
		return "1 + details"
	}
	return "1"
}

// Outcome is the status, or why there is none.
func (r Request) Outcome() string {
	if r.Status == 0 {
		return "no answer"
	}
	return strconv.Itoa(r.Status)
}

// Text is what a request is found by, in lower case; "failed" is a word of
// those that did.
func (r Request) Text() string {
	text := strings.ToLower(r.Method + " " + r.Route + " " + r.Outcome() + " " + string(r.ID))
	if r.Failed() {
		text += " failed " + strings.ToLower(explain(r.Err))
	}
	return text
}
