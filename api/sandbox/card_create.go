package sandbox

import (
	"encoding/json"
	"unicode/utf8"

	"github.com/cardtop/cardtop/api/sandbox/sim"
	"github.com/cardtop/cardtop/api/sandbox/unit"
	"github.com/cardtop/cardtop/api/sandbox/wire"
)

// Bounds of the contract's Limits.
const (
	leastFunding unit.Cents = 100
	mostFunding  unit.Cents = 500_000
	maxLabel                = 64 // code points (ASSUMED 5)
	maxMetadata             = 20
)

// newCard is the request of POST /cards.
type newCard struct {
	bin        sim.BIN
	amount     unit.Cents
	label      string
	limit      unit.Cents
	categories []string
	autoFreeze unit.Cents
	metadata   map[string]json.RawMessage
}

func parseNewCard(body []byte) (newCard, error) {
	f, err := wire.ParseForm(body)
	if err != nil {
		return newCard{}, err
	}
	var n newCard
	id := f.RequiredText("bin_id")
	n.amount = f.RequiredMoney("amount", leastFunding, mostFunding)
	if n.bin = sim.BINOf(id); n.bin.ID == "" {
		f.Fail("bin_id is not a known BIN")
	}
	n.label = labelOf(f)
	// The contract's maximum of the BIN is the monthly one (ASSUMED 4).
	limited := false
	if n.limit, limited = f.Money("spending_limit", 0, n.bin.MaxMonthly); !limited {
		n.limit = n.bin.MaxMonthly
	}
	n.categories, _ = f.Texts("allowed_categories")
	if n.categories == nil {
		n.categories = []string{}
	}
	n.autoFreeze, _ = f.Money("auto_freeze_at", 0, unit.MostCents)
	n.metadata = metadataOf(f, nil)
	return n, f.Err
}

func labelOf(f *wire.Form) string {
	label, _ := f.Text("label")
	if utf8.RuneCountInString(label) > maxLabel {
		f.Fail("label must have at most %d characters", maxLabel)
	}
	return label
}

// metadataOf merges the metadata of a request into that of a card; a null removes
// its key (ASSUMED 8).
func metadataOf(f *wire.Form, present map[string]json.RawMessage) map[string]json.RawMessage {
	merged := map[string]json.RawMessage{}
	for name, value := range present {
		merged[name] = value
	}
	raw, set := f.Raw("metadata")
	if !set {
		return merged
	}
	var named map[string]json.RawMessage
	if json.Unmarshal(raw, &named) != nil {
		f.Fail("metadata must be an object")
		return merged
	}
	for name, value := range named {
		if string(value) == "null" {
			delete(merged, name)
			continue
		}
		merged[name] = value
	}
	if len(merged) > maxMetadata {
		f.Fail("metadata must have at most %d keys", maxMetadata)
	}
	return merged
}

func createCard(c *change, req *request) (any, error) {
	n, err := parseNewCard(req.body)
	if err != nil {
		return nil, err
	}
	if _, err := c.debitWallet(n.amount); err != nil {
		return nil, err
	}
	k := &sim.Card{
		Seq: c.s.cards.Len() + 1, BIN: n.bin.ID, Status: sim.CardActive, Balance: n.amount, Limit: n.limit, Month: c.now.Month(), Label: n.label,
		Categories: n.categories, AutoFreezeAt: n.autoFreeze, Metadata: n.metadata,
		Created: c.now, Expires: sim.ExpiryOf(c.now),
	}
	c.storeCard(k)
	full := c.s.fullCard(k)
	c.emit("card.created", full.ID, full)
	return full, nil
}
