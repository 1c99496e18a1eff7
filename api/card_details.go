package api

import (
	"encoding/json"
)

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
