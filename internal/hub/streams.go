package hub

import (
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"io"
	"maps"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/hub/stream"
	"github.com/cardtop/cardtop/internal/hub/team"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/cardlist"
)

// streams are the readers who are told what changed.
type streams struct {
	mu      sync.Mutex
	readers map[*reader]bool
	// last is what people of a view saw last, by the name of the part.
	last map[string]map[string]uint64
	// cards are the sums of the cards that people of a view see.
	cards map[string]*cardlist.Sum
	seed  maphash.Seed
}

// reader is one open stream.
type reader struct {
	person *team.Person
	view   string
	box    *stream.Mailbox
	// codes are those that the reader was told are ready.
	codes map[api.ChallengeID]bool
}

func newStreams() streams {
	return streams{readers: make(map[*reader]bool), last: make(map[string]map[string]uint64), cards: make(map[string]*cardlist.Sum), seed: maphash.MakeSeed()}
}

func (t *streams) add(p *team.Person) *reader {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := &reader{person: p, view: p.View(), box: stream.New(), codes: make(map[api.ChallengeID]bool)}
	alone := true
	for other := range t.readers {
		alone = alone && other.view != r.view
	}
	if alone {
		delete(t.last, r.view)
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
	if _, all := t.last[r.view][whole]; all {
		return
	}
	now := t.parts(s, st, r.person, state.TopicAll)
	now[whole] = 0
	maps.DeleteFunc(now, func(name string, _ uint64) bool { _, known := t.last[r.view][name]; return known })
	t.compare(r.view, now)
}

// whole is where it is noted that all parts of a view were seen. A change of some parts may
// come before the first reader of the view has begun.
const whole = ""

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
func (t *streams) tell(s *Server, st *state.Store, topics state.Topic) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var codes []ready
	if topics&state.TopicCodes != 0 && len(t.readers) > 0 {
		codes = readyCodes(st)
	}
	changed := make(map[string][]string)
	for r := range t.readers {
		names, known := changed[r.view]
		if !known {
			names = t.compare(r.view, t.parts(s, st, r.person, topics))
			changed[r.view] = names
		}
		r.box.Topic(names...)
		if r.person.May(team.Buyer) {
			r.tellCodes(s, codes)
		}
	}
}

// compare records what people of a view see and returns the parts that differ from what
// they saw.
func (t *streams) compare(view string, now map[string]uint64) (names []string) {
	last := t.last[view]
	if last == nil {
		last = make(map[string]uint64)
		t.last[view] = last
	}
	for name, sum := range now {
		if before, known := last[name]; known && before != sum {
			names = append(names, name)
		}
		last[name] = sum
	}
	return names
}

// newest bounds how many transactions are compared: older ones change rarely, and are
// polled for.
const newest = 300

// parts sums up each part that may have changed, as a person sees it.
func (t *streams) parts(s *Server, st *state.Store, p *team.Person, topics state.Topic) map[string]uint64 {
	out := make(map[string]uint64)
	if topics&(state.TopicCards|state.TopicOps) != 0 {
		out["cards"] = t.cardSum(p, st.Cards.All())
	}
	if topics&state.TopicOps != 0 {
		t.workParts(st, p, s.work(st), out)
	}
	if topics&state.TopicFeed != 0 {
		out["transactions"] = t.sum(func(w *adder) {
			rows := st.Txns.All()
			for n := len(rows) - 1; n >= max(0, len(rows)-newest); n-- {
				if card, ok := st.Cards.Get(rows[n].CardID); p.SeesAll() || ok && p.Sees(string(card.Label)) {
					w.text(string(rows[n].ID), string(rows[n].Type))
					w.number(int64(rows[n].Amount))
				}
			}
		})
	}
	if topics&(state.TopicWallet|state.TopicCards) != 0 {
		out["wallet"] = t.sum(func(w *adder) {
			body, _ := encode(walletOf(st, p)) // Numbers and texts.
			_, _ = w.Write(body)               // It never fails.
		})
	}
	if topics&state.TopicWallet != 0 && p.May(team.Admin) {
		out["deposits"] = t.sum(func(w *adder) {
			for _, d := range st.Wallet.Deposits() {
				w.text(string(d.ID), string(d.Status))
			}
		})
	}
	if topics&state.TopicCodes != 0 && p.May(team.Buyer) {
		out["codes"] = t.sum(func(w *adder) {
			for _, c := range st.Codes.All() {
				if card, ok := st.Cards.Get(c.Card); p.SeesAll() || ok && p.Sees(string(card.Label)) {
					w.text(string(c.ID), string(c.Status), strconv.FormatBool(c.OTP.IsZero()))
				}
			}
		})
	}
	return out
}

// cardSum sums up the cards that a person sees. The store has many, of which few change at
// once.
func (t *streams) cardSum(p *team.Person, cards *state.PackedCards) uint64 {
	view := p.View()
	if t.cards[view] == nil {
		t.cards[view] = new(cardlist.Sum)
	}
	return t.cards[view].Of(cards, func(row *cardlist.Row) uint64 {
		if !p.Sees(string(row.Label)) {
			return 0
		}
		return t.sum(func(w *adder) {
			w.text(string(row.ID), string(row.Status()), string(row.Label))
			w.number(int64(row.Balance))
		})
	})
}

// adder adds up what people see. It is for one run of the program.
type adder struct{ maphash.Hash }

// text adds texts, each with its end.
func (a *adder) text(all ...string) {
	for _, s := range all {
		_, _ = a.WriteString(s) // It never fails.
		_ = a.WriteByte('\n')   // Likewise.
	}
}

func (a *adder) number(n int64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(n))
	_, _ = a.Write(b[:]) // It never fails.
}

func (t *streams) sum(write func(*adder)) uint64 {
	var a adder
	a.SetSeed(t.seed)
	write(&a)
	return a.Sum64()
}

// ready is a code that can be read, and the note that tells so.
type ready struct {
	id   api.ChallengeID
	of   api.CardID
	card state.Card // zero where the list does not know it
	note stream.Note
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
		all = append(all, ready{c.ID, c.Card, card, stream.Note{Name: "code " + string(c.ID), Event: "code", Data: data}})
	}
	return all
}

// tellCodes tells which codes are ready that the reader was not told of.
func (r *reader) tellCodes(s *Server, codes []ready) {
	for _, c := range codes {
		if !r.codes[c.id] && s.seesCode(r.person, c.card, c.of) {
			r.codes[c.id] = true
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

const (
	// beat is how often a stream without news is written to.
	beat = 15 * time.Second
	// slow is how long a reader may take for what is written.
	slow = 10 * time.Second
)

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
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	rc := http.NewResponseController(w)
	_ = rc.SetReadDeadline(time.Time{}) // A connection in memory has none.
	out := events{w: w, rc: rc, now: s.cfg.Now}
	if !out.send("hello", []byte(`{"protocol":1}`)) {
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
			ok = out.send("beat", []byte("{}"))
		case <-reader.box.Ready():
			ok = out.sendAll(reader.box.Take())
		}
		if !ok {
			return
		}
	}
}

// events writes server-sent events.
type events struct {
	w   io.Writer
	rc  *http.ResponseController
	now func() time.Time
}

func (e *events) sendAll(topics []string, notes []stream.Note) bool {
	if len(topics) > 0 {
		data, _ := encode(struct { // Texts.
			Topics []string `json:"topics"`
		}{topics})
		if !e.send("changed", data) {
			return false
		}
	}
	for _, n := range notes {
		if !e.send(n.Event, n.Data) {
			return false
		}
	}
	return true
}

// send writes an event and reports whether the reader took it in time.
func (e *events) send(name string, data []byte) bool {
	_ = e.rc.SetWriteDeadline(e.now().Add(slow)) // A connection in memory has none.
	if _, err := fmt.Fprintf(e.w, "event: %s\ndata: %s\n\n", name, data); err != nil {
		return false
	}
	return e.rc.Flush() == nil
}
