package hub

import (
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/hub/stream"
	"github.com/cardtop/cardtop/internal/hub/team"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/kernel"
)

// streams are the readers who are told what changed.
type streams struct {
	mu      sync.Mutex
	readers map[*reader]bool
	seen    stream.Seen
	// cards are the sums of the cards that people of a view see.
	cards   map[string]*cardlist.Sum
	digests stream.Digests
}

// reader is one open stream.
type reader struct {
	person *team.Person
	view   string
	box    *stream.Mailbox
	// codes are those that the reader was told are ready, and when their digits had changed last.
	codes map[api.ChallengeID]time.Time
}

func newStreams() streams {
	return streams{
		readers: make(map[*reader]bool), seen: stream.NewSeen(),
		cards: make(map[string]*cardlist.Sum), digests: stream.NewDigests(),
	}
}

func (t *streams) add(p *team.Person) *reader {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := &reader{person: p, view: p.View(), box: stream.New(), codes: make(map[api.ChallengeID]time.Time)}
	alone := true
	for other := range t.readers {
		alone = alone && other.view != r.view
	}
	if alone {
		t.seen.Forget(r.view)
		delete(t.cards, r.view)
	}
	t.readers[r] = true
	return r
}

// begin records what a reader sees now, so that the first change that they are told of
// is one of that.
func (t *streams) begin(s *Server, r *reader, st *state.Store) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.seen.Begun(r.view) {
		t.seen.Begin(r.view, t.parts(s, st, r.person, kernel.TopicAll))
	}
}

func (t *streams) remove(r *reader) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.readers, r)
}

// keep ends the streams of who is not in the team as they were.
func (t *streams) keep(now *team.Team) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for r := range t.readers {
		if !now.Holds(r.person) {
			r.box.Close()
		}
	}
}

func (t *streams) closeAll() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for r := range t.readers {
		r.box.Close()
	}
}

// tell tells each reader what changed of what they see: a change of what is hidden is
// no event.
func (t *streams) tell(s *Server, st *state.Store, topics kernel.Topic) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var codes []ready
	if topics&kernel.TopicCodes != 0 && len(t.readers) > 0 {
		codes = readyCodes(st)
	}
	changed := make(map[string][]string)
	for r := range t.readers {
		names, known := changed[r.view]
		if !known {
			names = t.seen.Changed(r.view, t.parts(s, st, r.person, topics))
			changed[r.view] = names
		}
		r.box.Topic(names...)
		if r.person.May(team.Buyer) {
			r.tellCodes(s, codes)
		}
	}
}

// newest bounds how many transactions are compared: older ones change rarely, and are
// polled for.
const newest = 300

// parts sums up each part that may have changed, as a person sees it.
func (t *streams) parts(s *Server, st *state.Store, p *team.Person, topics kernel.Topic) map[string]uint64 {
	out := make(map[string]uint64)
	if topics&(kernel.TopicCards|kernel.TopicOps) != 0 {
		out["cards"] = t.cardSum(p, st.Cards.All())
	}
	if topics&kernel.TopicOps != 0 {
		t.workParts(st, p, s.work(st), out)
	}
	if topics&kernel.TopicFeed != 0 {
		out["transactions"] = t.digests.Of(func(w *stream.Digest) {
			rows := st.Txns.All()
			for n := len(rows) - 1; n >= max(0, len(rows)-newest); n-- {
				if card, ok := st.Cards.Get(rows[n].CardID); p.SeesAll() || ok && p.Sees(string(card.Label)) {
					w.Text(string(rows[n].ID), string(rows[n].Type))
					w.Number(int64(rows[n].Sent()))
				}
			}
		})
	}
	if topics&(kernel.TopicWallet|kernel.TopicCards) != 0 {
		out["wallet"] = t.digests.Of(func(w *stream.Digest) {
			body, _ := encode(walletOf(st, p)) // Numbers and texts.
			w.Text(string(body))
		})
	}
	if topics&kernel.TopicWallet != 0 && p.May(team.Admin) {
		out["deposits"] = t.digests.Of(func(w *stream.Digest) {
			for _, d := range st.Wallets.Deposits() {
				w.Text(string(d.ID), string(d.Status))
			}
		})
	}
	if topics&kernel.TopicCodes != 0 && p.May(team.Buyer) {
		out["codes"] = t.digests.Of(func(w *stream.Digest) {
			for _, c := range st.Codes.All() {
				if card, ok := st.Cards.Get(c.Card); p.SeesAll() || ok && p.Sees(string(card.Label)) {
					w.Text(string(c.ID), string(c.Status), strconv.FormatBool(c.OTP.IsZero()), c.ChangedAt.String())
				}
			}
		})
	}
	return out
}

// cardSum sums up the cards that a person sees. The store has many, of which few change at
// once.
func (t *streams) cardSum(p *team.Person, cards *cardlist.List) uint64 {
	view := p.View()
	if t.cards[view] == nil {
		t.cards[view] = new(cardlist.Sum)
	}
	return t.cards[view].Of(cards, func(row *cardlist.Row) uint64 {
		if !p.Sees(string(row.Label)) {
			return 0
		}
		return t.digests.Of(func(w *stream.Digest) {
			w.Text(string(row.ID), string(row.Status()), string(row.Label))
			w.Number(int64(row.Balance))
		})
	})
}

// ready is a code that can be read, and the note that tells so.
type ready struct {
	id   api.ChallengeID
	of   api.CardID
	card cardlist.Card // zero where the list does not know it
	// changed is when its digits did last.
	changed time.Time
	note    stream.Note
}

// readyCodes are those that can be read, whoever sees them. The codes themselves are not told.
func readyCodes(st *state.Store) (all []ready) {
	for _, c := range st.Codes.All() {
		if c.OTP.IsZero() {
			continue
		}
		card, _ := st.Cards.Get(c.Card)
		data, _ := encode(struct { // Texts and a time.
			ID   api.ChallengeID `json:"id"`
			Card api.CardID      `json:"card_id"`
			At   any             `json:"created_at"`
		}{c.ID, c.Card, stamp(c.CreatedAt)})
		all = append(all, ready{c.ID, c.Card, card, c.ChangedAt, stream.Note{Name: "code " + string(c.ID), Event: "code", Data: data}})
	}
	return all
}

// tellCodes tells which codes are ready that the reader was not told of, or not with the digits that they have now.
func (r *reader) tellCodes(s *Server, codes []ready) {
	for _, c := range codes {
		if was, told := r.codes[c.id]; (!told || !was.Equal(c.changed)) && s.seesCode(r.person, c.card, c.of) {
			r.codes[c.id] = c.changed
			r.box.Put(c.note)
		}
	}
}

// note tells those who see cards of a label, and have a role.
func (t *streams) note(label string, card bool, role team.Role, n stream.Note) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for r := range t.readers {
		if r.person.May(role) && (r.person.SeesAll() || card && r.person.Sees(label)) {
			r.box.Put(n)
		}
	}
}

// approvals tells leads that somebody asks for an approval.
func (t *streams) approvals(name, label string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for r := range t.readers {
		if r.person.Name == name || r.person.May(team.Lead) && r.person.Sees(label) {
			r.box.Topic("approvals")
		}
	}
}

// beat is how often a stream without news is written to.
const beat = 15 * time.Second

// serveStream tells what changes until the reader goes, is too slow, or is not in the
// team any more.
func (s *Server) serveStream(w http.ResponseWriter, r *request) {
	if !s.limits.Open(r.person.Name) {
		s.send(w, answer{err: refuse(http.StatusTooManyRequests, "rate_limited", "too many streams are open")})
		return
	}
	defer s.limits.Close(r.person.Name)
	reader := s.streams.add(r.person)
	defer s.streams.remove(reader)
	err := s.waitReady(r.Context())
	if err == nil {
		err = s.read(r.Context(), func(st *state.Store) { s.streams.begin(s, reader, st) })
	}
	if err != nil {
		s.send(w, answer{err: readRefusal(err)})
		return
	}
	if !s.cfg.Team.Team().Holds(r.person) {
		return // Removed since the request was accepted.
	}
	out := stream.NewEvents(w, s.cfg.Now)
	if !out.Send("hello", []byte(`{"protocol":1}`)) {
		return
	}
	timer := time.NewTicker(beat)
	defer timer.Stop()
	for {
		ok := true
		select {
		case <-r.Context().Done():
			return
		case <-reader.box.Closed():
			return
		case <-timer.C:
			ok = out.Send("beat", []byte("{}"))
		case <-reader.box.Ready():
			ok = out.SendAll(reader.box.Take())
		}
		if !ok {
			return
		}
	}
}
