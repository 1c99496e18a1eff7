package wire

import (
	"crypto/sha256"
	"sync"

	"github.com/cardtop/cardtop/api/sandbox/unit"
)

// Report counts the requests since the server was opened. It may be used from
// several goroutines.
type Report struct {
	mu       sync.Mutex
	routes   map[string]map[int]int64
	times    []unit.Instant // of the last hour
	minute   int            // index of the first time within the last minute
	mostMin  int
	mostHour int
	effects  map[[sha256.Size]byte]effect
	replays  int64
}

// effect is how many times one write, with the same path and body, had an effect.
type effect struct {
	route string
	times int64
}

// maxEffects bounds the writes in memory; beyond it counting starts anew.
const maxEffects = 200_000

// NewReport returns a report that has counted nothing.
func NewReport() *Report {
	return &Report{routes: map[string]map[int]int64{}, effects: map[[sha256.Size]byte]effect{}}
}

// Record counts one answered request.
func (r *Report) Record(route string, status int, now unit.Instant) {
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

// Replayed counts a write that was answered with its stored answer.
func (r *Report) Replayed() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.replays++
}

// Acted counts a write that moved money or created something. scope is its
// method and path.
func (r *Report) Acted(route, scope string, body []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.effects) >= maxEffects {
		clear(r.effects)
	}
	digest := sha256.Sum256(append([]byte(scope+"\x00"), body...))
	r.effects[digest] = effect{route: route, times: r.effects[digest].times + 1}
}

// ReportBody is the answer of GET /sandbox/report. Duplicated counts, by route,
// how many times a write that moves money or creates something had its effect
// again with the same path and body, under another idempotency key or none.
type ReportBody struct {
	Requests   map[string]map[int]int64 `json:"requests"`
	Total      int64                    `json:"total"`
	MostMinute int                      `json:"most_in_a_minute"`
	MostHour   int                      `json:"most_in_an_hour"`
	Replays    int64                    `json:"replayed_answers"`
	Duplicated map[string]int64         `json:"duplicated_effects"`
}

// Body returns the figures so far.
func (r *Report) Body() ReportBody {
	r.mu.Lock()
	defer r.mu.Unlock()
	body := ReportBody{
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
	return body
}
