package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"
)

// CardID identifies a card (prefix card_).
type CardID string

// UnmarshalJSON decodes the identifier; one that is not printable ASCII is refused.
func (id *CardID) UnmarshalJSON(b []byte) error { return setID(id, b) }

// CardStatus is the status of a card. A value that this program does not know is
// kept as sent, sanitised.
type CardStatus string

// The states of a card.
const (
	CardActive     CardStatus = "active"
	CardFrozen     CardStatus = "frozen"
	CardTerminated CardStatus = "terminated"
)

// CardExpired is what this program calls an active card after its expiry (ASSUMED 34).
// The API has no such status.
const CardExpired CardStatus = "expired"

// Known reports whether this program knows what a status means.
func (s CardStatus) Known() bool {
	return s == CardActive || s == CardFrozen || s == CardTerminated
}

// UnmarshalJSON decodes and sanitises the status.
func (s *CardStatus) UnmarshalJSON(b []byte) error { return setEnum(s, b) }

func setEnum[T ~string](to *T, b []byte) error {
	var t Text
	if err := t.UnmarshalJSON(b); err != nil {
		return err
	}
	*to = T(t)
	return nil
}

// Metadata is the caller's own data on a card. A value that is not a string is
// compact JSON.
type Metadata map[Text]Text

// UnmarshalJSON decodes an object with values of any kind.
func (m *Metadata) UnmarshalJSON(b []byte) error {
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(b, &raw); err != nil {
		return errors.New("decode metadata: not an object")
	}
	if raw == nil {
		return nil
	}
	*m = make(Metadata, len(raw))
	for name, value := range raw {
		(*m)[Clean(name)] = anyText(value)
	}
	return nil
}

// Card is a card without its secrets, as it is returned by creating, updating and
// unfreezing one. Amounts are USD, times UTC.
type Card struct {
	ID                CardID     `json:"id"`
	BIN               BINID      `json:"bin_id"`
	Network           Text       `json:"network"`
	Last4             Text       `json:"last4"`
	Status            CardStatus `json:"status"`
	Balance           USD        `json:"balance"`
	SpendingLimit     *USD       `json:"spending_limit"` // monthly
	Label             Text       `json:"label"`
	NoLabel           bool       `json:"-"`                  // the answer does not say the label
	AllowedCategories []Text     `json:"allowed_categories"` // MCCs; empty: all
	AutoFreezeAt      *USD       `json:"auto_freeze_at"`     // nil: never
	Metadata          Metadata   `json:"metadata"`
	CreatedAt         time.Time  `json:"created_at"`
	ExpiresAt         time.Time  `json:"expires_at"`
}

// UnmarshalJSON decodes a card; id, status and balance are required.
func (c *Card) UnmarshalJSON(b []byte) error {
	type plain Card
	w := struct {
		*plain
		Balance   *USD      `json:"balance"`
		Label     saidText  `json:"label"`
		CreatedAt timestamp `json:"created_at"`
		ExpiresAt timestamp `json:"expires_at"`
	}{plain: (*plain)(c)}
	if err := json.Unmarshal(b, &w); err != nil {
		return err
	}
	c.CreatedAt, c.ExpiresAt = w.CreatedAt.time(), w.ExpiresAt.time()
	c.Label, c.NoLabel = w.Label.Text, !w.Label.said
	return allOf(requireCard(c.ID, c.Status), require(&c.Balance, w.Balance, "card", "balance"))
}

// saidText is text of an answer that may not say it.
type saidText struct {
	Text
	said bool
}

// UnmarshalJSON decodes text; null says none.
func (t *saidText) UnmarshalJSON(b []byte) error {
	t.said = string(b) != "null"
	return t.Text.UnmarshalJSON(b)
}

func requireCard(id CardID, status CardStatus) error {
	if err := requireID(id, "card"); err != nil {
		return err
	}
	if status == "" {
		return MissingField("card", "status")
	}
	return nil
}

// CardItem is a card in a list. ExpiresAt is zero where the list does not have it: the
// contract's does not.
type CardItem struct {
	ID        CardID     `json:"id"`
	BIN       BINID      `json:"bin_id"`
	Network   Text       `json:"network"`
	Last4     Text       `json:"last4"`
	Status    CardStatus `json:"status"`
	Balance   USD        `json:"balance"`
	Label     Text       `json:"label"`
	NoLabel   bool       `json:"no_label,omitempty"` // the list does not say the label; one of a hub's says that it does not know it
	CreatedAt time.Time  `json:"created_at"`
	ExpiresAt time.Time  `json:"expires_at,omitzero"`
}

// UnmarshalJSON decodes a card of a list; id, status and balance are required.
func (c *CardItem) UnmarshalJSON(b []byte) error {
	type plain CardItem
	w := struct {
		*plain
		Balance   *USD      `json:"balance"`
		Label     saidText  `json:"label"`
		CreatedAt timestamp `json:"created_at"`
		ExpiresAt timestamp `json:"expires_at"`
	}{plain: (*plain)(c)}
	if err := json.Unmarshal(b, &w); err != nil {
		return err
	}
	c.CreatedAt, c.ExpiresAt = w.CreatedAt.time(), w.ExpiresAt.time()
	c.Label, c.NoLabel = w.Label.Text, c.NoLabel || !w.Label.said
	c.BIN, c.Network, c.Status = intern(c.BIN), intern(c.Network), intern(c.Status)
	return allOf(requireCard(c.ID, c.Status), require(&c.Balance, w.Balance, "card", "balance"))
}

func (c *CardItem) identifier() string { return string(c.ID) }

// CardSummary is one card requested by id, without its secrets, with what it spent.
type CardSummary struct {
	ID               CardID     `json:"id"`
	BIN              BINID      `json:"bin_id"`
	Network          Text       `json:"network"`
	Last4            Text       `json:"last4"`
	Status           CardStatus `json:"status"`
	Balance          USD        `json:"balance"`
	SpendingLimit    *USD       `json:"spending_limit"` // monthly
	TotalSpent       *USD       `json:"total_spent"`
	TransactionCount *int       `json:"transaction_count"`
	Label            Text       `json:"label"`
	NoLabel          bool       `json:"-"` // the answer does not say the label
	Metadata         Metadata   `json:"metadata"`
	CreatedAt        time.Time  `json:"created_at"`
	ExpiresAt        time.Time  `json:"expires_at"`
	LastUsedAt       time.Time  `json:"last_used_at"` // zero: never used
}

// UnmarshalJSON decodes a summary; id, status and balance are required.
func (c *CardSummary) UnmarshalJSON(b []byte) error {
	type plain CardSummary
	w := struct {
		*plain
		Balance    *USD      `json:"balance"`
		Label      saidText  `json:"label"`
		CreatedAt  timestamp `json:"created_at"`
		ExpiresAt  timestamp `json:"expires_at"`
		LastUsedAt timestamp `json:"last_used_at"`
	}{plain: (*plain)(c)}
	if err := json.Unmarshal(b, &w); err != nil {
		return err
	}
	c.CreatedAt, c.ExpiresAt, c.LastUsedAt = w.CreatedAt.time(), w.ExpiresAt.time(), w.LastUsedAt.time()
	c.Label, c.NoLabel = w.Label.Text, !w.Label.said
	return allOf(requireCard(c.ID, c.Status), require(&c.Balance, w.Balance, "card", "balance"))
}

// CardSort is what a list of cards is sorted by.
type CardSort string

// The sorts of a list of cards.
const (
	SortCreatedAt CardSort = "created_at"
	SortBalance   CardSort = "balance"
	SortLastUsed  CardSort = "last_used"
)

// Order is the direction of a sort.
type Order string

// The directions.
const (
	Ascending  Order = "asc"
	Descending Order = "desc"
)

// ListCardsOptions filters and sorts a list of cards; the zero value lists all,
// newest first, 25 a page.
type ListCardsOptions struct {
	Status        CardStatus
	BIN           BINID
	Label         string // part of the label
	Sort          CardSort
	Order         Order
	Page, PerPage int // PerPage is at most 100
}

// Query returns the query of a list of cards.
func (o ListCardsOptions) Query() (url.Values, error) {
	q := url.Values{}
	set(q, "status", o.Status)
	set(q, "bin_id", o.BIN)
	set(q, "label", o.Label)
	set(q, "sort", o.Sort)
	set(q, "order", o.Order)
	return q, firstError(
		oneOf("status", o.Status, CardActive, CardFrozen, CardTerminated),
		oneOf("sort", o.Sort, SortCreatedAt, SortBalance, SortLastUsed),
		oneOf("order", o.Order, Ascending, Descending),
		setPage(q, o.Page, o.PerPage),
	)
}

func (c *CardSummary) identifier() string { return string(c.ID) }

// CardDetails are the secrets of a card (PCI data). They stay in memory, are never
// logged, stored or cached, and the caller wipes them.
type CardDetails struct {
	ID             CardID  `json:"id"`
	PAN            PAN     `json:"pan"`
	CVV            CVV     `json:"cvv"`
	ExpMonth       int     `json:"exp_month"`
	ExpYear        int     `json:"exp_year"` // four digits (ASSUMED 25)
	HolderName     Text    `json:"holder_name"`
	BillingAddress Address `json:"billing_address"`
}

// Address is the billing address of a card.
type Address struct {
	Line1   Text `json:"line1"`
	City    Text `json:"city"`
	State   Text `json:"state"`
	ZIP     Text `json:"zip"`
	Country Text `json:"country"`
}

// Wipe overwrites the number and the verification value.
func (d *CardDetails) Wipe() {
	d.PAN.Wipe()
	d.CVV.Wipe()
}

// UnmarshalJSON decodes the details; id, number and CVV are required.
func (d *CardDetails) UnmarshalJSON(b []byte) error {
	type plain CardDetails
	if err := json.Unmarshal(b, (*plain)(d)); err != nil {
		return err
	}
	if err := requireID(d.ID, "card details"); err != nil {
		return err
	}
	if d.PAN.IsZero() {
		return MissingField("card details", "pan")
	}
	if d.CVV.IsZero() {
		return MissingField("card details", "cvv")
	}
	return nil
}

func (d *CardDetails) identifier() string { return string(d.ID) }

// BINID identifies a BIN.
type BINID string

// UnmarshalJSON decodes the identifier; one that is not printable ASCII is refused.
func (id *BINID) UnmarshalJSON(b []byte) error { return setID(id, b) }

// BIN is a range of card numbers that cards can be issued from.
type BIN struct {
	ID             BINID         `json:"id"`
	Network        Text          `json:"network"`
	Type           Text          `json:"type"` // "advertising", "everyday", …
	IssuerCountry  Text          `json:"issuer_country"`
	ThreeDS        bool          `json:"3ds"`
	Wallets        []PhoneWallet `json:"-"` // by name
	MaxTransaction *USD          `json:"max_transaction"`
	MaxMonthly     *USD          `json:"max_monthly"`
	AcceptanceRate *float64      `json:"acceptance_rate"` // percent
	BestFor        []Text        `json:"best_for"`
}

// PhoneWallet says whether cards of a BIN work in one provider's mobile wallet. Name
// is the field of the contract, such as apple_pay.
type PhoneWallet struct {
	Name      Text
	Supported bool
}

// UnmarshalJSON decodes a BIN; id is required. Any boolean with a name that ends in
// _pay is a mobile wallet (ASSUMED 26).
func (b *BIN) UnmarshalJSON(data []byte) error {
	type plain BIN
	if err := json.Unmarshal(data, (*plain)(b)); err != nil {
		return err
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		return err
	}
	b.Wallets = nil
	for name, value := range raw {
		yes, no := bytes.Equal(value, []byte("true")), bytes.Equal(value, []byte("false"))
		if strings.HasSuffix(name, "_pay") && (yes || no) {
			b.Wallets = append(b.Wallets, PhoneWallet{Clean(name), yes})
		}
	}
	slices.SortFunc(b.Wallets, func(a, b PhoneWallet) int { return strings.Compare(string(a.Name), string(b.Name)) })
	return requireID(b.ID, "bin")
}

func (b *BIN) identifier() string { return string(b.ID) }
