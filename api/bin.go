package api

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

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
