package sandbox

import (
	"context"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cardtop/cardtop/api/sandbox/unit"
)

// The kinds of trouble that can be asked for.
const (
	faultLatency   = "latency"
	faultLimit     = "rate_limit"
	faultBareLimit = "rate_limit_bare"
	faultError     = "server_error"
	faultHTML      = "bad_gateway"
	faultReset     = "connection_reset"
	faultCutBody   = "cut_body"
	faultNoAnswer  = "commit_then_timeout"
	faultNoCode    = "code_missing"
	faultLateCode  = "code_late"
	faultDrop      = "webhook_drop"
	faultDuplicate = "webhook_duplicate"
	faultReorder   = "webhook_reorder"
)

// FaultKind is a kind of trouble, and what it does.
type FaultKind struct{ Name, About string }

// FaultKinds are all there are.
func FaultKinds() []FaultKind {
	return []FaultKind{
		{faultLatency, "answers late, by --latency-ms"},
		{faultLimit, "429 with Retry-After"},
		{faultBareLimit, "429 without"},
		{faultError, "500 with the error body"},
		{faultHTML, "502 with an HTML page"},
		{faultReset, "no answer; nothing was done"},
		{faultCutBody, "half an answer; it was done"},
		{faultNoAnswer, "no answer; it was done"},
		{faultNoCode, "the list of challenges has no codes"},
		{faultLateCode, "the list has a code only after --latency-ms"},
		{faultDrop, "a webhook's delivery is lost"},
		{faultDuplicate, "a webhook's delivery comes twice"},
		{faultReorder, "a webhook's deliveries come in another order"},
	}
}

func allFaults() []string {
	var names []string
	for _, k := range FaultKinds() {
		names = append(names, k.Name)
	}
	return names
}

// fault is one kind of trouble in force.
type fault struct {
	Route       string  `json:"route"` // "GET /cards", a template alone, or *
	Kind        string  `json:"kind"`
	Times       int64   `json:"times"` // left; 0 for no end
	Probability float64 `json:"probability"`
	Latency     int64   `json:"latency_ms"`
}

// breaksAnswer tells that the connection ends instead of an answer.
func (f fault) breaksAnswer() bool { return f.Kind == faultReset || f.Kind == faultNoAnswer }

// ofRoute tells that a fault is drawn per request of a route.
func (f fault) ofRoute() bool {
	return !slices.Contains([]string{faultNoCode, faultLateCode, faultDrop, faultDuplicate, faultReorder}, f.Kind)
}

// faults holds what is in force.
type faults struct {
	mu   sync.Mutex
	list []fault
	rng  *rand.Rand
}

func newFaults() *faults { return &faults{rng: newRand(1, 2)} }

func (f *faults) add(one fault) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.list = append(f.list, one)
}

func (f *faults) clear() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.list = nil
}

// take gives the first fault that suits and strikes, and counts it.
func (f *faults) take(suits func(fault) bool) fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, one := range f.list {
		if !suits(one) || f.rng.Float64() >= one.Probability {
			continue
		}
		if one.Times == 1 {
			f.list = slices.Delete(f.list, i, i+1)
		} else if one.Times > 1 {
			f.list[i].Times--
		}
		return one
	}
	return fault{}
}

// draw gives the trouble of one request.
func (f *faults) draw(name string) fault {
	_, template, _ := strings.Cut(name, " ")
	return f.take(func(one fault) bool {
		return one.ofRoute() && (one.Route == "*" || one.Route == name || one.Route == template)
	})
}

// code gives whether a list that is made now shows the code of a challenge.
func (f *faults) code() func(created, now unit.Instant) bool {
	struck := f.take(func(one fault) bool { return one.Kind == faultNoCode || one.Kind == faultLateCode })
	return func(created, now unit.Instant) bool {
		switch struck.Kind {
		case faultNoCode:
			return false
		case faultLateCode:
			return now >= created+unit.Instant(struck.Latency)
		}
		return true
	}
}

// copies gives how often one event is sent.
func (f *faults) copies() int {
	switch f.take(func(one fault) bool { return one.Kind == faultDrop || one.Kind == faultDuplicate }).Kind {
	case faultDrop:
		return 0
	case faultDuplicate:
		return 2
	}
	return 1
}

// reordered tells whether an event is overtaken by later ones, and for how
// long it waits.
func (f *faults) reordered() (late unit.Instant, strikes bool) {
	const usual = 3 * unit.Second
	struck := f.take(func(one fault) bool { return one.Kind == faultReorder })
	if struck.Latency > 0 {
		return unit.Instant(struck.Latency), true
	}
	return usual, struck.Kind != ""
}

// fail makes the trouble that comes before anything is done. stops tells that
// the request goes no further.
func (s *Server) fail(ctx context.Context, f fault) (a answer, stops bool) {
	switch f.Kind {
	case faultLatency:
		pause(ctx, f.Latency)
		return answer{}, false
	case faultLimit:
		return refuse(rateLimited(2 * unit.Second)), true
	case faultBareLimit:
		bare := rateLimited(0)
		return refuse(bare), true
	case faultError:
		return refuse(&failure{status: http.StatusInternalServerError, id: "internal_error", message: "internal error"}), true
	case faultHTML:
		return answer{
			status: http.StatusBadGateway, header: http.Header{"Content-Type": {"text/html"}},
			body: []byte("<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>\n"),
		}, true
	case faultReset:
		return answer{fault: f}, true
	}
	return answer{}, false
}

// sendBroken ends a connection instead of answering, at once or after it kept
// the caller waiting.
func (s *Server) sendBroken(w http.ResponseWriter, r *http.Request, a answer) {
	if a.fault.Kind == faultNoAnswer {
		const patience = 60_000
		wait := a.fault.Latency
		if wait == 0 {
			wait = patience
		}
		pause(r.Context(), wait)
	}
	if err := breakOff(w); err != nil {
		w.WriteHeader(http.StatusBadGateway)
	}
}

// pause waits for some milliseconds, or until ctx is done.
func pause(ctx context.Context, milliseconds int64) {
	timer := time.NewTimer(time.Duration(milliseconds) * time.Millisecond)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
