package state_test

import (
	"slices"
	"testing"
	"time"

	"github.com/cardtop/cardtop/state/copytext"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/state/settings"
)

func TestAWholeCardIsCopiedByTheTemplate(t *testing.T) {
	f := func(name copytext.Field) copytext.Part { return copytext.Part{Field: name} }
	text := func(s string) copytext.Part { return copytext.Part{Text: s} }
	for _, tt := range []struct {
		template string
		parts    []copytext.Part
		ttl      time.Duration
	}{
		{"", []copytext.Part{f("number"), text("|"), f("month"), text("|"), f("year"), text("|"), f("cvv"), text("|"), f("name")}, settings.Defaults().CopyCVV},
		{"{label}: {number}\t{address}!", []copytext.Part{text("fb"), text(": "), f("number"), text("\t"), f("address"), text("!")}, settings.Defaults().CopyNumber},
	} {
		s := settled(t, func(c *settings.Config) { c.CopyTemplate = tt.template })
		one[secrets.FetchDetails](t, do(t, s, secrets.CopyWhole{Card: first}))
		got := one[secrets.CopyCard](t, hold(s, time.Second, first))
		if got.Card != first || !slices.Equal(got.Parts, tt.parts) {
			t.Errorf("%q: %+v", tt.template, got.Parts)
		}
		if got.TTL != tt.ttl {
			t.Errorf("%q stays %v, not %v: the shortest of its fields", tt.template, got.TTL, tt.ttl)
		}
		none[secrets.FetchDetails](t, do(t, s, secrets.CopyWhole{Card: first}))
		apply(s, secrets.ClipChanged{Seq: got.Seq, State: secrets.ClipCopied, Until: at(time.Minute)})
	}
}
