package campaign_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/campaign"
)

func parse(t interface{ Fatal(...any) }, text string) campaign.Rule {
	r, err := campaign.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestTheCampaignOfALabel(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ pattern, label, want string }{
		{"", "fb/geo-de/07", "fb/geo-de"},
		{"", "fb/geo-de", "fb/geo-de"},
		{"", "fb/geo-de/", "fb/geo-de"},
		{"", " fb/geo-de/07/a ", "fb/geo-de"},
		{"", "fb/", ""},
		{"", "fb", ""},
		{"", "", ""},
		{"", "/geo/1", "/geo"},
		{"", "fb//07", ""},
		{"*", "fb/geo-de", "fb/geo-de"},
		{"*/*/*", "a/b/c/d", "a/b/c"},
		{"*-*", "fb-de-07", "fb-de"},
		{"*-*", "fb/de/07", ""},
		{"fb/*", "fb/geo/07", "fb/geo"},
		{"fb/*", "google/geo/07", ""},
		{"fb/*", "fb/", ""},
		{"* | *", "Ann | spring | 3", "Ann | spring"},
		{"*/*-*", "fb/geo-de-07", "fb/geo-de"},
		{"*/*-*", "fb/geo", ""},
		{"*-", "spring-07", "spring"},
		{"*-", "spring", "spring"},
		{"*-", "-07", ""},
		{"* ", "Spring sale 07", "Spring"},
		{"fb/*-", "fb/geo-07", "fb/geo"},
		{"fb/*-", "google/geo-07", ""},
	} {
		if got := parse(t, c.pattern).Of(api.Text(c.label), nil); got != c.want {
			t.Errorf("%q of %q is %q, want %q", c.pattern, c.label, got, c.want)
		}
	}
	if got := (campaign.Rule{}).Of("fb/geo", nil); got != "" {
		t.Errorf("no rule tells %q", got)
	}
}

func TestTheCampaignInTheMetadata(t *testing.T) {
	t.Parallel()
	r := parse(t, "metadata:offer")
	if !r.ByMetadata() || parse(t, "*").ByMetadata() {
		t.Error("ByMetadata does not tell")
	}
	if got := r.Of("fb/geo", api.Metadata{"offer": " spring ", "other": "x"}); got != "spring" {
		t.Errorf("%q", got)
	}
	if got := r.Of("fb/geo", nil); got != "" {
		t.Errorf("%q without metadata", got)
	}
}

func TestRulesThatAreRefused(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"metadata: ": "no key", "fb/geo": "has no *", "a**": "nothing in between"} {
		if _, err := campaign.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestThePatternThatLabelsShow(t *testing.T) {
	t.Parallel()
	many := func(form string, n int) (out []api.Text) {
		for i := range n {
			out = append(out, api.Text(fmt.Sprintf(form, []string{"spring", "summer"}[i%2], i)))
		}
		return out
	}
	for _, c := range []struct {
		labels []api.Text
		want   string
	}{
		{many("fb/%s/%02d", 20), "*/*"},
		{many("%s/%02d", 20), "*/"},
		{many("%s-%02d", 20), "*-"},
		{many("%s_%02d", 20), "*_"},
		{many("%s %02d", 20), "* "},
		{append(many("%s-%02d", 20), make([]api.Text, 300)...), "*-"},
		{append(many("%s-%02d", 9), many("%s%02d", 20)...), ""},
		{many("%.0s%d-card", 20), ""}, // each its own
		{many("%.0sfb-%d", 20), ""},   // all one
		{nil, ""},
	} {
		if got := campaign.Suggest(c.labels); got != c.want {
			t.Errorf("%q: %q, want %q", c.labels, got, c.want)
		}
	}
}
