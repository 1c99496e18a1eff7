package sandbox

import (
	"context"
	"crypto/sha256"
	"sync"

	"github.com/cardtop/cardtop/api/sandbox/unit"
)

// report counts what reached the server since it was opened.
type report struct {
	mu       sync.Mutex
	routes   map[string]map[int]int64
	times    []unit.Instant // of the last hour
	minute   int            // index of the first time within the last minute
	mostMin  int
	mostHour int
	effects  map[[sha256.Size]byte]effect
	replays  int64
}

// effect counts how often one write with the same path and body acted.
type effect struct {
	route string
	times int64
}

// maxEffects bounds what is remembered of writes before it starts anew.
const maxEffects = 200_000

func newReport() *report {
	return &report{routes: map[string]map[int]int64{}, effects: map[[sha256.Size]byte]effect{}}
}

// record counts one answered request.
func (r *report) record(route string, status int, now unit.Instant) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.routes[route] == nil {
		r.routes[route] = map[int]int64{}
	}
	r.routes[route][status]++
	r.times = append(r.times, now)
	for now-r.times[r.minute] >= unit.Minute {
		r.minute++
	}
	old := 0
	for now-r.times[old] >= unit.Hour {
		old++
	}
	r.times, r.minute = r.times[old:], r.minute-old
	r.mostMin = max(r.mostMin, len(r.times)-r.minute)
	r.mostHour = max(r.mostHour, len(r.times))
}

// written counts a write that was answered with success.
func (r *report) written(rt *route, req *request, replayed bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if replayed {
		r.replays++
		return
	}
	if !rt.money {
		return
	}
	if len(r.effects) >= maxEffects {
		clear(r.effects)
	}
	digest := sha256.Sum256(append([]byte(req.scope+"\x00"), req.body...))
	r.effects[digest] = effect{route: rt.name(), times: r.effects[digest].times + 1}
}

// reportBody is the answer of GET /sandbox/report. duplicated_effects counts,
// by route, how often a write that moves money or creates something acted
// again with the same path and body, under another idempotency key or none.
type reportBody struct {
	Requests   map[string]map[int]int64 `json:"requests"`
	Total      int64                    `json:"total"`
	MostMinute int                      `json:"most_in_a_minute"`
	MostHour   int                      `json:"most_in_an_hour"`
	Replays    int64                    `json:"replayed_answers"`
	Duplicated map[string]int64         `json:"duplicated_effects"`
}

func getReport(_ context.Context, s *Server, _ *request) (any, error) {
	r := s.report
	r.mu.Lock()
	defer r.mu.Unlock()
	body := reportBody{
		Requests: map[string]map[int]int64{}, MostMinute: r.mostMin, MostHour: r.mostHour,
		Replays: r.replays, Duplicated: map[string]int64{},
	}
	for route, statuses := range r.routes {
		body.Requests[route] = map[int]int64{}
		for status, n := range statuses {
			body.Requests[route][status] = n
			body.Total += n
		}
	}
	for _, e := range r.effects {
		if e.times > 1 {
			body.Duplicated[e.route] += e.times - 1
		}
	}
	return body, nil
}
