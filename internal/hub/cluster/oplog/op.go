package oplog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
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
