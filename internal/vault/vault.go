// Package vault is the one place that holds a card's number and CVV, and the
// signing secret of a webhook: one of each at a time, for a short time, in
// bytes that are overwritten when they leave.
package vault

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/copytext"
	"github.com/cardtop/cardtop/state/secrets"
)

// Vault holds the details of at most one card, and one signing secret. The engine puts them in, the
// program reads them; a Vault may be used from several goroutines. The zero
// value is empty and ready.
type Vault struct {
	mu      sync.Mutex
	details *api.CardDetails
	signing api.SigningSecret
	webhook api.WebhookID // whose signing secret it is
}

var _ secrets.Vault = (*Vault)(nil)

// Hold stores a card's details in place of those held before.
func (v *Vault) Hold(d *api.CardDetails) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.wipe()
	v.details = d
}

// Read returns a copy of a field of the held card, which the caller wipes;
// false when the vault holds another card or none.
func (v *Vault) Read(card api.CardID, f secrets.Field) (api.Secret, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.details == nil || v.details.ID != card {
		return api.Secret{}, false
	}
	d := v.details
	switch f {
	case secrets.FieldNumber:
		return api.NewSecret(d.PAN.Bytes()), true
	case secrets.FieldCVV:
		return api.NewSecret(d.CVV.Bytes()), true
	case secrets.FieldExpiry:
		return api.NewSecret(fmt.Sprintf("%02d/%02d", d.ExpMonth, d.ExpYear%100)), true
	case secrets.FieldAddress:
		return api.NewSecret(address(d)), true
	default:
		return api.NewSecret(string(text(d, f))), true
	}
}

func text(d *api.CardDetails, f secrets.Field) api.Text {
	switch f {
	case secrets.FieldName:
		return d.HolderName
	case secrets.FieldStreet:
		return d.BillingAddress.Line1
	case secrets.FieldCity:
		return d.BillingAddress.City
	case secrets.FieldState:
		return d.BillingAddress.State
	case secrets.FieldZIP:
		return d.BillingAddress.ZIP
	default:
		return d.BillingAddress.Country
	}
}

// address returns the billing address in one line, as far as it is known.
func address(d *api.CardDetails) string {
	a := d.BillingAddress
	told := slices.DeleteFunc([]string{string(a.Line1), string(a.City), string(a.State), string(a.ZIP), string(a.Country)}, func(s string) bool { return s == "" })
	return strings.Join(told, ", ")
}

// Forget overwrites and forgets the details.
func (v *Vault) Forget() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.wipe()
}

// HoldSigning stores a webhook's signing secret in place of the one held
// before.
func (v *Vault) HoldSigning(webhook api.WebhookID, secret api.SigningSecret) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.signing.Wipe()
	v.signing, v.webhook = secret, webhook
}

// ReadSigning returns a copy of the signing secret, which the caller wipes; false
// when the vault holds another webhook's or none.
func (v *Vault) ReadSigning(webhook api.WebhookID) (api.Secret, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if webhook == "" || v.webhook != webhook {
		return api.Secret{}, false
	}
	return api.NewSecret(v.signing.Bytes()), true
}

// ForgetSigning overwrites and forgets the signing secret.
func (v *Vault) ForgetSigning() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.forgetSigning()
}

func (v *Vault) forgetSigning() {
	v.signing.Wipe()
	v.signing, v.webhook = api.SigningSecret{}, ""
}

// Fill joins parts of the held card, which the caller wipes; false when the
// vault holds another card or none.
func (v *Vault) Fill(card api.CardID, parts []copytext.Part) (api.Secret, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.details == nil || v.details.ID != card {
		return api.Secret{}, false
	}
	// Growing would leave copies behind that nobody overwrites.
	size := 0
	for _, p := range parts {
		size += len(p.Text) + fieldSize
	}
	joined := make([]byte, 0, size)
	for _, p := range parts {
		joined = appendPart(joined, v.details, p)
	}
	defer clear(joined)
	return api.NewSecret(joined), true
}

// fieldSize is room for any one field: an address has five texts of 256
// graphemes at most.
const fieldSize = 16 << 10

func appendPart(to []byte, d *api.CardDetails, p copytext.Part) []byte {
	switch p.Field {
	case copytext.Number:
		return append(to, d.PAN.Bytes()...)
	case copytext.Last4:
		pan := d.PAN.Bytes()
		return append(to, pan[max(0, len(pan)-4):]...)
	case copytext.CVV:
		return append(to, d.CVV.Bytes()...)
	case copytext.Month:
		return fmt.Appendf(to, "%02d", d.ExpMonth)
	case copytext.Year:
		return fmt.Appendf(to, "%04d", d.ExpYear)
	case copytext.Year2:
		return fmt.Appendf(to, "%02d", d.ExpYear%100)
	case copytext.Name:
		return append(to, d.HolderName...)
	case copytext.Address:
		return append(to, address(d)...)
	default:
		return append(to, p.Text...)
	}
}

// Wipe overwrites and forgets everything.
func (v *Vault) Wipe() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.wipe()
	v.forgetSigning()
}

func (v *Vault) wipe() {
	if v.details != nil {
		v.details.Wipe()
	}
	v.details = nil
}
