package api

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"
)

// TransactionID identifies a transaction (prefix txn_).
type TransactionID string

// UnmarshalJSON decodes the identifier; one that is not printable ASCII is refused.
func (id *TransactionID) UnmarshalJSON(b []byte) error { return setID(id, b) }

// TransactionType is the type of a transaction. A value that this program does not
// know is kept as sent, sanitised.
type TransactionType string

// The kinds of transactions.
const (
	TransactionAuthorization TransactionType = "authorization"
	TransactionSettlement    TransactionType = "settlement"
	TransactionRefund        TransactionType = "refund"
	TransactionDecline       TransactionType = "decline"
)

// UnmarshalJSON decodes and sanitises the type.
func (t *TransactionType) UnmarshalJSON(b []byte) error { return setEnum(t, b) }

// Merchant is where a card was used.
type Merchant struct {
	Name     Text `json:"name"`
	Category Text `json:"category"`
	MCC      Text `json:"mcc"`
	Country  Text `json:"country"`
}

// Transaction is a transaction in a list. Amount, in USD, is signed: a settlement that
// spends is negative. Of one in another currency it is 0, and Foreign has the amount.
type Transaction struct {
	ID           TransactionID   `json:"id"`
	CardID       CardID          `json:"card_id"`
	Type         TransactionType `json:"type"`
	Amount       USD             `json:"amount"`
	Foreign      Units           `json:"-"`
	Currency     Text            `json:"currency"` // in capitals; empty is USD
	Merchant     Merchant        `json:"merchant"`
	BalanceAfter *USD            `json:"balance_after"` // of the card
	CreatedAt    time.Time       `json:"created_at"`
}

// UnmarshalJSON decodes a transaction; id, type and amount are required.
func (t *Transaction) UnmarshalJSON(b []byte) error {
	type plain Transaction
	w := struct {
		*plain
		Amount    *USD      `json:"amount"`
		CreatedAt timestamp `json:"created_at"`
	}{plain: (*plain)(t)}
	if err := json.Unmarshal(b, &w); err != nil {
		return err
	}
	t.CreatedAt = w.CreatedAt.time()
	m := &t.Merchant
	t.CardID, t.Type, t.Currency = intern(t.CardID), intern(t.Type), intern(Text(strings.ToUpper(string(t.Currency))))
	m.Name, m.Category, m.MCC, m.Country = intern(m.Name), intern(m.Category), intern(m.MCC), intern(m.Country)
	if t.Type == "" {
		return MissingField("transaction", "type")
	}
	if err := allOf(requireID(t.ID, "transaction"), require(&t.Amount, w.Amount, "transaction", "amount")); err != nil {
		return err
	}
	if !t.InUSD() {
		t.Amount, t.Foreign = 0, Units(t.Amount)
	}
	return nil
}

// MarshalJSON writes the amount as the API has it.
func (t Transaction) MarshalJSON() ([]byte, error) {
	type plain Transaction
	return json.Marshal(struct {
		plain
		Amount Units `json:"amount"`
	}{plain(t), t.Sent()})
}

// CurrencyCode is the currency of the amount, in capitals.
func (t *Transaction) CurrencyCode() Text {
	if t.InUSD() {
		return "USD"
	}
	return t.Currency
}

// InUSD reports whether the amount is in USD.
func (t *Transaction) InUSD() bool { return t.Currency == "" || t.Currency == "USD" }

// Sent is the amount as the API has it, in whatever currency.
func (t *Transaction) Sent() Units {
	if t.InUSD() {
		return Units(t.Amount)
	}
	return t.Foreign
}

func (t *Transaction) identifier() string { return string(t.ID) }

// essential are whose it is and when it was made, by which it is added up.
func (*Transaction) essential() []string { return []string{"card_id", "created_at"} }

// ListTransactionsOptions filters a list of transactions; the zero value lists all, 50
// a page. Amounts, in USD, are compared with their sign (ASSUMED 15).
type ListTransactionsOptions struct {
	CardID               CardID
	Type                 TransactionType
	From, To             time.Time // both included (ASSUMED 14); zero: open
	Merchant             string    // part of the name
	MinAmount, MaxAmount *USD
	Page, PerPage        int // PerPage is at most 100
}

// Query returns the query of a list of transactions.
func (o ListTransactionsOptions) Query() (url.Values, error) {
	q := url.Values{}
	set(q, "card_id", o.CardID)
	set(q, "type", o.Type)
	set(q, "merchant", o.Merchant)
	setTime(q, "from", o.From)
	setTime(q, "to", o.To)
	setAmount(q, "min_amount", o.MinAmount)
	setAmount(q, "max_amount", o.MaxAmount)
	return q, firstError(
		oneOf("type", o.Type, TransactionAuthorization, TransactionSettlement, TransactionRefund, TransactionDecline),
		setPage(q, o.Page, o.PerPage),
	)
}

func setTime(q url.Values, name string, t time.Time) {
	if !t.IsZero() {
		q.Set(name, t.UTC().Format(time.RFC3339Nano))
	}
}

func setAmount(q url.Values, name string, amount *USD) {
	if amount != nil {
		q.Set(name, amount.String())
	}
}

// TransactionDetail is one transaction in full. The contract does not list its fields:
// the known ones are named, the rest is in Extra (ASSUMED 27).
type TransactionDetail struct {
	Transaction
	MCC           Text
	ThreeDSStatus Text // not_required, authenticated, failed
	DeclineReason Text
	Timeline      []TimelineStep
	Extra         []Field // by name; a field of the merchant is "merchant.…"
}

// Reasons are the texts that may say why it was declined, in the API's own words: decline_reason,
// then other fields that are called so, also within objects. There may be none.
func (d *TransactionDetail) Reasons() []Text {
	var out []Text
	if d.DeclineReason != "" {
		out = append(out, d.DeclineReason)
	}
	var fields []Field
	for _, f := range d.Extra {
		fields = append(fields, f.parts()...)
	}
	for _, part := range []string{"reason", "decline", "fail", "error", "message", "response"} {
		for _, f := range fields {
			if strings.Contains(string(f.Name), part) && f.mayBeReason() && !slices.Contains(out, f.Value) {
				out = append(out, f.Value)
			}
		}
	}
	return out
}

// parts returns the field, and the fields of the objects that it lists, the last object first: of the
// steps of an authorization the last one declined it.
func (f Field) parts() []Field {
	out := []Field{f}
	var objects []map[string]json.RawMessage
	if !strings.HasPrefix(string(f.Value), "[") || json.Unmarshal([]byte(f.Value), &objects) != nil {
		return out
	}
	for _, object := range slices.Backward(objects) {
		for _, name := range slices.Sorted(maps.Keys(object)) {
			out = append(out, Field{Name: f.Name + "." + Clean(name), Value: anyText(object[name])})
		}
	}
	return out
}

// mayBeReason reports whether a field is one text, and neither of the merchant nor an id or a time.
func (f Field) mayBeReason() bool {
	name, value := string(f.Name), strings.TrimSpace(string(f.Value))
	switch {
	case strings.HasPrefix(name, "merchant."), strings.HasSuffix(name, "id"), strings.HasSuffix(name, "_at"):
		return false
	case value == "", value == "null", value == "true", value == "false":
		return false
	}
	return value[0] != '{' && value[0] != '['
}

// TimelineStep is one step of an authorization.
type TimelineStep struct {
	Status Text
	At     time.Time
}

// Field is a field that this program has no name for. A value that is not a string is
// compact JSON.
type Field struct {
	Name  Text
	Value Text
}

// UnmarshalJSON decodes a transaction and all other fields. A field with a known name
// but another shape is in Extra.
func (d *TransactionDetail) UnmarshalJSON(b []byte) error {
	if err := json.Unmarshal(b, &d.Transaction); err != nil {
		return err
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(b, &raw); err != nil {
		return err
	}
	for name, value := range raw {
		if !d.known(name, value) {
			d.addExtra(Clean(name), value, true)
		}
	}
	slices.SortFunc(d.Extra, func(a, b Field) int { return strings.Compare(string(a.Name), string(b.Name)) })
	return nil
}

// addExtra adds a field; the fields of an object one by one, where it is to be opened.
func (d *TransactionDetail) addExtra(name Text, value json.RawMessage, open bool) {
	var object map[string]json.RawMessage
	if !open || json.Unmarshal(value, &object) != nil || len(object) == 0 {
		d.Extra = append(d.Extra, Field{Name: name, Value: anyText(value)})
		return
	}
	for inner, v := range object {
		d.addExtra(name+"."+Clean(inner), v, false)
	}
}

func (d *TransactionDetail) known(name string, value json.RawMessage) bool {
	switch name {
	case "id", "card_id", "type", "amount", "currency", "balance_after", "created_at":
		return true
	case "merchant":
		d.merchantExtra(value)
		return true
	case "mcc":
		return setText(&d.MCC, value)
	case "three_ds_status":
		return setText(&d.ThreeDSStatus, value)
	case "decline_reason":
		return setText(&d.DeclineReason, value)
	case "timeline":
		return d.setTimeline(value)
	}
	return false
}

func (d *TransactionDetail) merchantExtra(value json.RawMessage) {
	var raw map[string]json.RawMessage
	if json.Unmarshal(value, &raw) != nil {
		return
	}
	for name, value := range raw {
		switch name {
		case "name", "category", "mcc", "country":
		default:
			d.addExtra("merchant."+Clean(name), value, false)
		}
	}
}

func (d *TransactionDetail) setTimeline(value json.RawMessage) bool {
	var steps []map[string]json.RawMessage
	if json.Unmarshal(value, &steps) != nil {
		return false
	}
	timeline := make([]TimelineStep, 0, len(steps))
	more := make(map[string]json.RawMessage)
	for _, step := range steps {
		var status *Text
		var at *timestamp
		if json.Unmarshal(step["status"], &status) != nil || json.Unmarshal(step["at"], &at) != nil || status == nil || at == nil {
			return false
		}
		timeline = append(timeline, TimelineStep{*status, at.time()})
		delete(step, "status")
		delete(step, "at")
		maps.Copy(more, step)
	}
	d.Timeline = timeline
	for name, value := range more { // Such as the reason; that of the last step that has one.
		d.addExtra("timeline."+Clean(name), value, false)
	}
	return true
}

func setText(to *Text, value json.RawMessage) bool {
	t, err := scalarText(value)
	if err != nil {
		return false
	}
	*to = t
	return true
}
