package vault

import (
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/state/copytext"
	"github.com/cardtop/cardtop/state/secrets"
)

func details(id api.CardID) *api.CardDetails {
	return &api.CardDetails{
		ID: id, PAN: api.NewPAN("4111111111111111"), CVV: api.NewCVV("123"), ExpMonth: 4, ExpYear: 2029,
		HolderName:     "Ann Buyer",
		BillingAddress: api.Address{Line1: "1 Main St", City: "Dover", State: "DE", ZIP: "19901", Country: "US"},
	}
}

func TestReadGivesEveryFieldOfTheHeldCardOnly(t *testing.T) {
	var v Vault
	v.Hold(details("card_1"))
	for f, want := range map[secrets.Field]string{
		secrets.FieldNumber: "4111111111111111", secrets.FieldExpiry: "04/29", secrets.FieldCVV: "123", secrets.FieldName: "Ann Buyer",
		secrets.FieldStreet: "1 Main St", secrets.FieldCity: "Dover", secrets.FieldState: "DE", secrets.FieldZIP: "19901", secrets.FieldCountry: "US",
		secrets.FieldAddress: "1 Main St, Dover, DE, 19901, US",
	} {
		got, ok := v.Read("card_1", f)
		if !ok || got.Expose() != want {
			t.Errorf("%s: %q %v", f, got.Expose(), ok)
		}
	}
	if _, ok := v.Read("card_2", secrets.FieldNumber); ok {
		t.Error("the vault answers for a card it does not hold")
	}
}

func TestWhatIsReadIsACopyAndWhatLeavesIsOverwritten(t *testing.T) {
	var v Vault
	first := details("card_1")
	v.Hold(first)
	number := first.PAN.Bytes()
	got, _ := v.Read("card_1", secrets.FieldNumber)
	got.Wipe()
	if again, _ := v.Read("card_1", secrets.FieldNumber); again.Expose() != "4111111111111111" {
		t.Error("wiping what was read wiped what is held")
	}
	v.Hold(details("card_2"))
	for _, b := range number {
		if b != 0 {
			t.Fatal("the card held before is still in memory")
		}
	}
	v.Wipe()
	if _, ok := v.Read("card_2", secrets.FieldNumber); ok {
		t.Error("the vault still answers after the wipe")
	}
}

func TestFillJoinsEveryFieldOfATemplate(t *testing.T) {
	var v Vault
	v.Hold(details("card_1"))
	want := map[string]string{
		"number": "4111111111111111", "last4": "1111", "month": "04", "year": "2029", "year2": "29", "cvv": "123",
		"name": "Ann Buyer", "address": "1 Main St, Dover, DE, 19901, US", "label": "fb", // The store puts the label in.
	}
	for _, name := range config.TemplateFields() {
		part := copytext.Part{Field: copytext.Field(name)}
		if name == "label" {
			part = copytext.Part{Text: "fb"}
		}
		got, ok := v.Fill("card_1", []copytext.Part{{Text: "<"}, part, {Text: ">"}})
		if !ok || got.Expose() != "<"+want[name]+">" {
			t.Errorf("%s: %q %v", name, got.Expose(), ok)
		}
		got.Wipe()
	}
	if again, _ := v.Read("card_1", secrets.FieldNumber); again.Expose() != want["number"] {
		t.Error("wiping what was joined wiped what is held")
	}
	if _, ok := v.Fill("card_2", nil); ok {
		t.Error("the vault answers for a card it does not hold")
	}
}

func TestASigningSecretIsHeldForItsWebhookAndOverwritten(t *testing.T) {
	var v Vault
	secret := api.NewSigningSecret("whsec_1")
	v.HoldSigning("wh_1", secret)
	v.Hold(details("card_1"))
	got, ok := v.ReadSigning("wh_1")
	if !ok || got.Expose() != "whsec_1" {
		t.Errorf("read %q, %v", got.Expose(), ok)
	}
	got.Wipe()
	for _, other := range []api.WebhookID{"wh_2", ""} {
		if _, ok := v.ReadSigning(other); ok {
			t.Errorf("the vault answers for %q", other)
		}
	}
	v.Forget() // The details only.
	if _, ok := v.ReadSigning("wh_1"); !ok {
		t.Error("the secret left with the details")
	}
	bytes := secret.Bytes()
	v.ForgetSigning()
	if _, ok := v.ReadSigning("wh_1"); ok {
		t.Error("the vault still answers")
	}
	for _, b := range bytes {
		if b != 0 {
			t.Fatal("it is still in memory")
		}
	}
	v.HoldSigning("wh_2", api.NewSigningSecret("whsec_2"))
	v.Wipe()
	if _, ok := v.ReadSigning("wh_2"); ok {
		t.Error("the wipe leaves it")
	}
}
