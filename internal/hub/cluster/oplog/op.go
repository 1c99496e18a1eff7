package oplog

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/hub/cluster/seal"
)

// ErrSecret means that a request may hold a secret, so that it is not put on the bus.
var ErrSecret = errors.New("the request may hold a secret")

// Op is an operation as the hubs share it: what its request was, and for whom. It has
// no field for a card number, a CVV, a code, an API key or a signing secret; what is
// free text in it is searched for card numbers.
type Op struct {
	Key  api.IdempotencyKey `json:"key"`
	Kind string             `json:"kind"`
	// Card is empty for a card that is being issued.
	Card   api.CardID `json:"card,omitempty"`
	Amount api.USD    `json:"amount,omitempty"` // USD
	Label  string     `json:"label,omitempty"`  // of the card
	Name   string     `json:"name,omitempty"`   // of the card
	Rule   string     `json:"rule,omitempty"`   // that asked for it
	By     Actor      `json:"by,omitzero"`      // who asked for it
	// Begun is by the clock of the hub that had the lease of this number when it sent the
	// operation last; 0 is of an earlier release.
	Begun time.Time `json:"begun,omitzero"`
	Lease uint64    `json:"lease,omitempty"`
	// Expected are the balances before and after, to resolve it by hand.
	Expected Expected `json:"expected,omitzero"`
	// Request is what is sent, the same bytes with every try.
	Request Request `json:"request"`
}

// Actor is the person who asked for an operation.
type Actor struct {
	Name string `json:"name,omitempty"`
	Role string `json:"role,omitempty"`
	From string `json:"from,omitempty"` // the address of their request
	// Approved is who approved it; empty where nobody had to.
	Approved string `json:"approved,omitempty"`
}

// Expected are balances in USD.
type Expected struct {
	CardBefore, CardAfter     api.USD
	WalletBefore, WalletAfter api.USD
}

// check returns ErrSecret for an operation whose texts look like a card number.
func (o Op) check() error {
	if slices.ContainsFunc([]string{o.Label, o.Name, o.Rule, o.By.Name, o.By.Role, o.By.Approved}, HasCardNumber) {
		return fmt.Errorf("%w: a text of it looks like a card number", ErrSecret)
	}
	return nil
}

// Request is a write to cards whose body holds only what the contract lists. The zero
// value has no request: such an operation cannot be sent again.
type Request struct {
	method, route, path string
	body                []byte
}

// requestJSON is a request as it is stored. The body is in base64: as JSON within JSON
// its bytes would change, and another body under the same key is another request.
type requestJSON struct {
	Method string `json:"method,omitempty"`
	Route  string `json:"route,omitempty"`
	Path   string `json:"path,omitempty"`
	Body   []byte `json:"body,omitempty"`
}

// NewRequest checks a write. One that is marked sensitive, or has a field that the
// contract has not, or text with a card number is refused with ErrSecret.
func NewRequest(w api.Write) (Request, error) {
	if w.Sensitive {
		return Request{}, ErrSecret
	}
	r := Request{method: w.Method, route: w.Route, path: w.Path, body: bytes.Clone(w.Body)}
	return r, r.check()
}

// Write returns the write to send, false for the zero value.
func (r Request) Write() (api.Write, bool) {
	return api.Write{Method: r.method, Route: r.route, Path: r.path, Body: bytes.Clone(r.body)}, r.method != ""
}

// Format writes the method and the path for every verb.
func (r Request) Format(f fmt.State, _ rune) {
	_, _ = fmt.Fprint(f, r.method+" "+r.path) // fmt drops errors of its own state.
}

// MarshalJSON encodes the request as it is stored.
func (r Request) MarshalJSON() ([]byte, error) {
	return json.Marshal(requestJSON{r.method, r.route, r.path, r.body})
}

// UnmarshalJSON decodes and checks a request.
func (r *Request) UnmarshalJSON(data []byte) error {
	var p requestJSON
	if err := json.Unmarshal(data, &p); err != nil {
		return fmt.Errorf("decode request: %w", err)
	}
	*r = Request{p.Method, p.Route, p.Path, bytes.Clone(p.Body)}
	if r.method == "" {
		*r = Request{}
		return nil
	}
	return r.check()
}

// check returns an error for a request that is not of the contract's writes to cards.
func (r Request) check() error {
	if !slices.Contains([]string{http.MethodPost, http.MethodPatch, http.MethodDelete}, r.method) {
		return errors.New("the request is not a write")
	}
	if HasCardNumber(r.path) {
		return ErrSecret
	}
	if len(r.body) == 0 {
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(r.body))
	dec.DisallowUnknownFields()
	var b body
	if err := dec.Decode(&b); err != nil {
		return fmt.Errorf("%w: its body has more than the contract lists", ErrSecret)
	}
	if dec.More() {
		return errors.New("the body of the request is not one object")
	}
	if slices.ContainsFunc(b.texts(), HasCardNumber) {
		return fmt.Errorf("%w: a text in it looks like a card number", ErrSecret)
	}
	return nil
}

// body has the fields that a write to cards may have (contract, Endpoints).
type body struct {
	BIN               string                     `json:"bin_id"`
	Amount            json.Number                `json:"amount"`
	Label             string                     `json:"label"`
	SpendingLimit     json.Number                `json:"spending_limit"`
	AllowedCategories []string                   `json:"allowed_categories"`
	AutoFreezeAt      json.Number                `json:"auto_freeze_at"`
	Metadata          map[string]json.RawMessage `json:"metadata"`
}

func (b body) texts() []string {
	all := append([]string{b.BIN, b.Label}, b.AllowedCategories...)
	for k, v := range b.Metadata {
		all = append(all, k, string(v))
	}
	return all
}

// State is what became of an operation.
type State string

// The states of an operation, in the order in which it passes through them.
const (
	// Prepared: no byte of it was sent. A hub sends only what is Sent in the log.
	Prepared State = "prepared"
	// Sent: a hub may have sent it.
	Sent State = "sent"
	// Unknown: it was sent, and no answer says whether it acted. It may be sent again
	// under its key.
	Unknown State = "unknown"
	// Done: the service acted.
	Done State = "done"
	// Refused: the service did not act, and will not.
	Refused State = "refused"
	// Dismissed: a person says that its answer is no longer waited for.
	Dismissed State = "dismissed"
	// JudgedDone and JudgedNotDone: no answer said whether it acted, what was read since did,
	// or a person.
	JudgedDone    State = "judged-done"
	JudgedNotDone State = "judged-not-done"
)

// Open reports whether an operation in the state has to be settled.
func (s State) Open() bool { return s == Prepared || s == Sent || s == Unknown }

// known reports whether this program writes the state.
func (s State) known() bool {
	return s.Open() || s.Acted() || s.Undone() || s == Dismissed
}

// Acted reports whether an operation in the state has changed something.
func (s State) Acted() bool { return s == Done || s == JudgedDone }

// Undone reports whether an operation in the state has changed nothing.
func (s State) Undone() bool { return s == Refused || s == JudgedNotDone }

// Record is what the log says of an operation.
type Record struct {
	Op    Op    `json:"op"`
	State State `json:"state"`
	// Tries counts how often it was marked as sent.
	Tries int `json:"tries,omitempty"`
	// Moved is what the service's answer says that it moved, USD; 0 for none.
	Moved api.USD `json:"moved,omitempty"`
}

// version is that of the messages below. A log with a message of a later version is
// not opened.
const version = 1

// message is one message of the stream: a leader's first, or a record.
type message struct {
	Version int `json:"v"`
	// ID is random and tells whether a message whose acknowledgement was lost is there.
	ID string `json:"id"`
	// Number is that of the lease under which it was written.
	Number uint64 `json:"number"`
	// Record is nil in a leader's first message.
	Record *Record `json:"record,omitempty"`
}

func (m message) encode() ([]byte, error) {
	data, err := json.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("encode record: %w", err)
	}
	return data, nil
}

func decode(data []byte) (message, error) {
	var m message
	if err := json.Unmarshal(data, &m); err != nil {
		return message{}, fmt.Errorf("decode record: %w", err)
	}
	if m.Version != version {
		return message{}, fmt.Errorf("decode record: version %d, this program has %d", m.Version, version)
	}
	if m.Record != nil && (m.Record.Op.Key == "" || !m.Record.State.known()) {
		return message{}, errors.New("decode record: it has no key or no state")
	}
	return m, nil
}

// leaders is the subject of leaders' first messages, of which the newest is kept.
const leaders = "leader"

// subject returns the subject of a key's records. A key may have characters that a
// subject may not.
func subject(key api.IdempotencyKey) string {
	sum := sha256.Sum256([]byte(key))
	return "op." + hex.EncodeToString(sum[:16])
}

// ErrForeign means that nothing in the log is signed with a key of this hub.
var ErrForeign = errors.New("the log is of hubs with another key")

// Signed is a stream in which only messages of the hubs count. Each is signed with its
// place: one that somebody on the servers stores again, at another place or in another
// cluster, is left out as one that they made up.
func Signed(s Stream, keys *seal.Keys) Stream { return signed{s, keys} }

type signed struct {
	Stream
	keys *seal.Keys
}

// place is what the message at a sequence is signed with.
func place(sequence uint64) string { return fmt.Sprintf("operation %d", sequence) }

// Append stores a message, whose sequence is the next.
func (s signed) Append(ctx context.Context, last uint64, subject string, data []byte) (uint64, error) {
	return s.Stream.Append(ctx, last, subject, s.keys.Sign(data, place(last+1)))
}

// Read calls f with the messages of the hubs. A hub with a wrong key must not take a log
// for empty, so one without any message that counts is refused.
func (s signed) Read(ctx context.Context, after uint64, f func(sequence uint64, data []byte) error) (uint64, error) {
	own, others := false, false
	newest, err := s.Stream.Read(ctx, after, func(sequence uint64, data []byte) error {
		plain, err := s.keys.Verify(data, place(sequence))
		if err != nil {
			others = true
			return nil //nolint:nilerr // It counts for nobody.
		}
		own = true
		return f(sequence, plain)
	})
	if err == nil && after == 0 && others && !own {
		err = ErrForeign
	}
	return newest, err
}

// The lengths of card numbers.
const (
	shortest = 13
	longest  = 19
)

// HasCardNumber reports whether a text has a card number: 13 to 19 digits, in one group
// or in several with a space or a dash between them, of which the first says that it is
// a payment card and the last is the check digit.
func HasCardNumber(s string) bool {
	var groups [][]byte
	open := false // the last group may go on
	for i := range len(s) {
		switch c := s[i]; {
		case c >= '0' && c <= '9' && open:
			groups[len(groups)-1] = append(groups[len(groups)-1], c-'0')
		case c >= '0' && c <= '9':
			groups, open = append(groups, []byte{c - '0'}), true
		case (c == ' ' || c == '-') && open:
			open = false
		default:
			if joined(groups) {
				return true
			}
			groups, open = nil, false
		}
	}
	return joined(groups)
}

// joined reports whether groups that follow one another are a card number.
func joined(groups [][]byte) bool {
	for from := range groups {
		var digits []byte
		for _, g := range groups[from:] {
			if digits = append(digits, g...); isCardNumber(digits) {
				return true
			}
		}
	}
	return false
}

// isCardNumber checks the length, the first digit and the check digit (Luhn).
func isCardNumber(digits []byte) bool {
	if len(digits) < shortest || len(digits) > longest || digits[0] < 2 || digits[0] > 6 {
		return false
	}
	sum := 0
	for i, d := range digits {
		n := int(d)
		if (len(digits)-i)%2 == 0 {
			if n *= 2; n > 9 {
				n -= 9
			}
		}
		sum += n
	}
	return sum%10 == 0
}
