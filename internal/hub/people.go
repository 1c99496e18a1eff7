package hub

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"github.com/cardtop/cardtop/api"
)

// Protocol is the version of what is below /hub/v1.
const Protocol = 1

// about tells a client that this is a hub, and who it is to it.
func (s *Server) about(r *request) (answer, error) {
	type you struct {
		Name   string   `json:"name"`
		Role   string   `json:"role"`
		Labels []string `json:"labels"`
		Cap    *api.USD `json:"cap"`
	}
	me := you{Name: r.person.Name, Role: r.person.Role.String(), Labels: r.person.Labels}
	if r.person.Cap > 0 {
		me.Cap = &r.person.Cap
	}
	return jsonOf(struct {
		Hub      string `json:"hub"`
		Protocol int    `json:"protocol"`
		Version  string `json:"version"`
		Mode     string `json:"mode"`
		You      you    `json:"you"`
	}{"cardtop", Protocol, s.cfg.Version, s.cfg.Mode, me}, -1)
}

// presence is when each person was last there.
type presence struct {
	mu   sync.Mutex
	seen map[string]time.Time
}

func newPresence() presence { return presence{seen: make(map[string]time.Time)} }

func (p *presence) note(name string, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.seen[name] = now
}

// personBody is a person and when they were last there. Which cards they see is not in
// it: patterns of labels tell what there is.
type personBody struct {
	Name string `json:"name"`
	Role string `json:"role"`
	// Here is how many dashboards hold a stream open.
	Here int `json:"here"`
	// Seen is the last request since the hub was started; nil for none.
	Seen *time.Time `json:"last_seen"`
}

// listPeople lists the team: who is there first, then who was there last.
func (s *Server) listPeople(*request) (answer, error) {
	out := listOf[personBody]{Data: []personBody{}}
	here := s.streams.count()
	s.presence.mu.Lock()
	for _, p := range s.cfg.Team.Team().People {
		row := personBody{Name: p.Name, Role: p.Role.String(), Here: here[p.Name]}
		if at, ok := s.presence.seen[p.Name]; ok {
			at = at.UTC()
			row.Seen = &at
		}
		out.Data = append(out.Data, row)
	}
	s.presence.mu.Unlock()
	slices.SortStableFunc(out.Data, func(a, b personBody) int {
		return cmp.Or(cmp.Compare(min(1, b.Here), min(1, a.Here)), seenAt(b).Compare(seenAt(a)), cmp.Compare(a.Name, b.Name))
	})
	return jsonOf(out, -1)
}

func seenAt(p personBody) time.Time {
	if p.Seen == nil {
		return time.Time{}
	}
	return *p.Seen
}

// count is how many streams each person has open.
func (t *streams) count() map[string]int {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := make(map[string]int)
	for r := range t.readers {
		n[r.person.Name]++
	}
	return n
}
