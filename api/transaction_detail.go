package api

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// TransactionDetail is one transaction in full. The contract does not list
// its fields: what is known is named, the rest is in Extra (ASSUMED 27).
type TransactionDetail struct {
	Transaction
	MCC           Text
	ThreeDSStatus Text // not_required, authenticated, failed
	DeclineReason Text
	Timeline      []TimelineStep
	Extra         []Field // by name; a field of the merchant is "merchant.…"
}

// TimelineStep is one step of an authorization.
type TimelineStep struct {
	Status Text
	At     time.Time
}

// Field is a field this program has no name for. A value that is not a string
// is compact JSON.
type Field struct {
	Name  Text
	Value Text
}

// UnmarshalJSON decodes a transaction and whatever else is there. A field
// that is known by name but not by shape goes to Extra.
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
			d.Extra = append(d.Extra, Field{Clean(name), anyText(value)})
		}
	}
	slices.SortFunc(d.Extra, func(a, b Field) int { return strings.Compare(string(a.Name), string(b.Name)) })
	return nil
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
			d.Extra = append(d.Extra, Field{"merchant." + Clean(name), anyText(value)})
		}
	}
}

func (d *TransactionDetail) setTimeline(value json.RawMessage) bool {
	var steps []struct {
		Status *Text  `json:"status"`
		At     *stamp `json:"at"`
	}
	if json.Unmarshal(value, &steps) != nil {
		return false
	}
	timeline := make([]TimelineStep, 0, len(steps))
	for _, s := range steps {
		if s.Status == nil || s.At == nil {
			return false
		}
		timeline = append(timeline, TimelineStep{*s.Status, s.At.time()})
	}
	d.Timeline = timeline
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

// GetTransaction asks for one transaction in full.
func (c *Client) GetTransaction(ctx context.Context, id TransactionID) (TransactionDetail, error) {
	s, err := segment("transaction", id)
	if err != nil {
		return TransactionDetail{}, err
	}
	return get[TransactionDetail](ctx, c, request{route: "/transactions/{txn_id}", path: "/transactions/" + s})
}
