// Package replica brings the state of the hub that leads to the others: changes in a
// stream, and snapshots, so that a hub that joins has little to read.
//
// All hubs read the same stream in the same order. A message of a leader whose time is
// over counts for none of them, so all have the same state at the same sequence.
package replica

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/hub/cluster/seal"
)

// Kind is what an item is.
type Kind string

// The kinds of items.
const (
	Card        Kind = "card"
	Listed      Kind = "listed" // a card as lists have it
	Transaction Kind = "transaction"
	Wallet      Kind = "wallet"
	Deposit     Kind = "deposit"
	BIN         Kind = "bin"
	Code        Kind = "code"
	Claimed     Kind = "claim"     // who takes a code
	Under       Kind = "operation" // under way
	Waits       Kind = "approval"  // a request for one
	Off         Kind = "rule"      // that is off until a person has it on
	Age         Kind = "age"       // of what the leader has read
)

// Shared are the types that go over the bus. None has a field for a card number, a CVV,
// a code or a signing secret.
type Shared interface {
	api.CardSummary | api.CardItem | api.Transaction | api.Wallet | api.Deposit | api.BIN | Ages | Claim | Work | Asked | RuleOff
}

// Claim is who takes a code.
type Claim struct {
	Challenge api.ChallengeID `json:"challenge_id"`
	Card      api.CardID      `json:"card_id"`
	Name      string          `json:"by"`
	At        time.Time       `json:"at"`
}

// Work is an operation under way, without its amount.
type Work struct {
	Key     api.IdempotencyKey `json:"id"`
	Card    api.CardID         `json:"card_id,omitempty"`
	Label   string             `json:"label,omitempty"`
	Name    string             `json:"by,omitempty"`
	What    string             `json:"operation"`
	State   string             `json:"state"`
	At      time.Time          `json:"at"`
	Moves   bool               `json:"moves,omitempty"`
	Webhook bool               `json:"webhook,omitempty"`
}

// Asked is a request for an approval that waits, without its amount.
type Asked struct {
	ID    string    `json:"id"`
	Name  string    `json:"by"`
	Label string    `json:"label"`
	Until time.Time `json:"until"`
}

// RuleOff is a rule that is off until a person has it on again.
type RuleOff struct {
	Name string    `json:"name"`
	Why  string    `json:"why"`
	At   time.Time `json:"at"`
}

// Ages is how old it is what the leader has read of the service.
type Ages struct {
	// Leader is the number of its lease.
	Leader uint64 `json:"leader"`
	// At is by its wall clock, Up the time since it began to lead.
	At time.Time     `json:"at"`
	Up time.Duration `json:"up"`
	// Lanes are the ages of what its lanes read, by their names.
	Lanes map[string]time.Duration `json:"lanes"`
	// Back is the time from which all transactions are there, by the service's clock; zero
	// is not known. All reports that there are no others.
	Back time.Time `json:"back,omitzero"`
	All  bool      `json:"all,omitempty"`
}

// Item is one object of the state, or that it is gone.
type Item struct {
	Kind Kind   `json:"kind"`
	ID   string `json:"id"`
	// Gone reports that the object is no more.
	Gone bool `json:"gone,omitempty"`

	data json.RawMessage
	code seal.Sealed
}

// itemJSON is an item as it is sent.
type itemJSON struct {
	Kind Kind            `json:"kind"`
	ID   string          `json:"id"`
	Gone bool            `json:"gone,omitempty"`
	Data json.RawMessage `json:"data,omitempty"`
	Code seal.Sealed     `json:"code,omitempty"`
}

// MarshalJSON encodes the item as it is sent.
func (i Item) MarshalJSON() ([]byte, error) {
	return json.Marshal(itemJSON{i.Kind, i.ID, i.Gone, i.data, i.code})
}

// UnmarshalJSON decodes an item.
func (i *Item) UnmarshalJSON(data []byte) error {
	var p itemJSON
	if err := json.Unmarshal(data, &p); err != nil {
		return fmt.Errorf("decode item: %w", err)
	}
	*i = Item{Kind: p.Kind, ID: p.ID, Gone: p.Gone, data: p.Data, code: p.Code}
	return nil
}

// kindOf is the kind of a type that is shared.
func kindOf(v any) Kind {
	switch v.(type) {
	case api.CardSummary:
		return Card
	case api.CardItem:
		return Listed
	case api.Transaction:
		return Transaction
	case api.Wallet:
		return Wallet
	case api.Deposit:
		return Deposit
	case Ages:
		return Age
	case Claim:
		return Claimed
	case Work:
		return Under
	case Asked:
		return Waits
	case RuleOff:
		return Off
	default:
		return BIN
	}
}

// Put returns an item with an object.
func Put[T Shared](id string, v T) (Item, error) {
	data, err := json.Marshal(v)
	if bin, ok := any(v).(api.BIN); ok && err == nil {
		data, err = withWallets(data, bin)
	}
	if err != nil {
		return Item{}, fmt.Errorf("encode item: %w", err)
	}
	return Item{Kind: kindOf(v), ID: id, data: data}, nil
}

// withWallets adds the phone wallets of a BIN as the contract has them: a field each.
func withWallets(data []byte, bin api.BIN) ([]byte, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return nil, err
	}
	for _, w := range bin.Wallets {
		fields[string(w.Name)] = strconv.AppendBool(nil, w.Supported)
	}
	return json.Marshal(fields)
}

// Get returns the object of an item.
func Get[T Shared](i Item) (T, error) {
	var v T
	if i.Gone || i.Kind != kindOf(v) {
		return v, fmt.Errorf("decode item: it is %s, gone: %v", i.Kind, i.Gone)
	}
	if err := json.Unmarshal(i.data, &v); err != nil {
		return v, fmt.Errorf("decode item: %w", err)
	}
	return v, nil
}

// PutCode returns an item with a challenge whose code is sealed.
func PutCode(keys *seal.Keys, c api.Challenge) (Item, error) {
	var code seal.Sealed
	if !c.OTP.IsZero() {
		code = keys.Seal(c.OTP.Bytes(), aboutCode(c))
	}
	c.OTP = api.OTP{}
	data, err := json.Marshal(c)
	if err != nil {
		return Item{}, fmt.Errorf("encode code: %w", err)
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return Item{}, fmt.Errorf("encode code: %w", err)
	}
	delete(fields, "otp")
	if data, err = json.Marshal(fields); err != nil {
		return Item{}, fmt.Errorf("encode code: %w", err)
	}
	return Item{Kind: Code, ID: string(c.ID), data: data, code: code}, nil
}

// aboutCode is what a code is sealed with: one of another challenge or card does not
// open.
func aboutCode(c api.Challenge) string { return string(c.ID) + " of " + string(c.CardID) }

// GetCode returns a challenge with its code.
func GetCode(keys *seal.Keys, i Item) (api.Challenge, error) {
	var c api.Challenge
	if i.Gone || i.Kind != Code {
		return c, errors.New("decode code: it is another item")
	}
	if err := json.Unmarshal(i.data, &c); err != nil {
		return c, fmt.Errorf("decode code: %w", err)
	}
	if len(i.code) == 0 {
		return c, nil
	}
	code, err := keys.Open(i.code, aboutCode(c))
	if err != nil {
		return api.Challenge{}, fmt.Errorf("open code: %w", err)
	}
	c.OTP = api.NewOTP(code)
	clear(code)
	return c, nil
}
