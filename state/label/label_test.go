package label_test

import (
	"slices"
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/label"
)

func TestLabelTemplates(t *testing.T) {
	for template, want := range map[string]string{
		"plain":               "plain",
		"fb/spring/{n:02}":    "fb/spring/07",
		"{n}":                 "7",
		"{n:09}":              "000000007",
		"{label}-{last4}":     "old-2039",
		"{n}{n}":              "77",
		"ф/{n:03}/{label}":    "ф/007/old",
		"a}b":                 "a}b",
		"{m}":                 "!{m} is not known: {n}, {n:02}, {label}, {last4} are",
		"{n:2}":               "!{n:2} is not known: {n}, {n:02}, {label}, {last4} are",
		"{n:00}":              "!{n:00} is not known: {n}, {n:02}, {label}, {last4} are",
		"{n:012}":             "!{n:012} is not known: {n}, {n:02}, {label}, {last4} are",
		"{n":                  "!{n has no closing }",
		"{}":                  "!{} is not known: {n}, {n:02}, {label}, {last4} are",
		"x{label}{unknown}y{": "!{unknown} is not known: {n}, {n:02}, {label}, {last4} are",
	} {
		got, err := label.Fill(template, label.Parts{N: 7, Label: "old", Last4: "2039"})
		if err != nil {
			got = "!" + err.Error()
		}
		if got != want {
			t.Errorf("%q is %q, want %q", template, got, want)
		}
	}
	if _, err := label.Fill("{label}", label.Parts{New: true}); err == nil || err.Error() != "{label} is not known: {n}, {n:02} are" {
		t.Errorf("a card to be issued: %v", err)
	}
}

func TestATemplateMakesCards(t *testing.T) {
	rows, err := label.IssueTemplate{Request: api.CreateCardRequest{BIN: "b", Amount: api.Dollar, Label: "fb/{n:02}"}, Count: 3, Start: 9}.Rows()
	if err != nil || len(rows) != 3 || rows[0].Request.Label != "fb/09" || rows[2].Request.Label != "fb/11" || rows[1].Request.BIN != "b" {
		t.Errorf("%+v %v", rows, err)
	}
	for _, bad := range []label.IssueTemplate{{}, {Count: 1_000_000_000}, {Count: 1, Request: api.CreateCardRequest{Label: "{x}"}}} {
		if _, err := bad.Rows(); err == nil {
			t.Errorf("%+v makes cards", bad)
		}
	}
}

func TestALabelThatEndsInANumberIsATemplate(t *testing.T) {
	for _, c := range []struct {
		label, template string
		n               int
		numbered        bool
	}{
		{"fb/spring/07", "fb/spring/{n:02}", 7, true},
		{"fb/spring/7", "fb/spring/{n}", 7, true},
		{"fb/012", "fb/{n:03}", 12, true},
		{"2039", "{n:04}", 2039, true},
		{"fb/spring", "fb/spring", 0, false},
		{"", "", 0, false},
		{"a{n}7", "a{n}7", 0, false},
		{"x1234567890", "x1234567890", 0, false},
	} {
		template, n, ok := label.Numbered(c.label)
		if template != c.template || n != c.n || ok != c.numbered {
			t.Errorf("%q: %q, %d, %v", c.label, template, n, ok)
		}
		if got, err := label.Fill(template, label.Parts{N: n, New: true}); ok && (err != nil || got != c.label) {
			t.Errorf("%q comes back as %q, %v", c.label, got, err)
		}
	}
}

func TestTheFirstFreeNumber(t *testing.T) {
	there := []string{"fb/01", "fb/02", "fb/04", "fb/5", "tt/1"}
	for _, c := range []struct {
		template   string
		from, want int
	}{
		{"fb/{n:02}", 1, 3}, {"fb/{n:02}", 4, 5}, {"fb/{n}", 1, 1}, {"fb/{n}", 5, 6}, {"tt/{n}", 1, 2}, {"new/{n}", 7, 7}, {"fb/01", 1, 1}, {"fb/{n", 2, 2},
	} {
		if got := label.Free(c.template, c.from, slices.Values(there)); got != c.want {
			t.Errorf("%s from %d: %d, want %d", c.template, c.from, got, c.want)
		}
	}
}
