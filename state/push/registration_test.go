package push

import (
	"testing"
)

const url = "https://hooks.example.com/x"

func opened(known bool) *Table {
	t := &Table{}
	t.Want()
	t.Open(url, "", known, at(0))
	return t
}

func TestAnAddressIsRegisteredOnce(t *testing.T) {
	p := opened(false)
	if !p.List([]Hook{{ID: "wh_9", URL: "https://else.example.com", All: true}}) {
		t.Fatal("it is not registered")
	}
	if !p.List(nil) {
		t.Error("what could not be sent is not tried again")
	}
	p.Send()
	if p.List(nil) || !p.Registering() {
		t.Error("it is registered a second time while the first is under way")
	}
	p.Resolve("wh_1", "")
	if !p.Registered() || p.List([]Hook{{ID: "wh_1", URL: url, All: true}}) || !p.Registered() {
		t.Error("it is not registered")
	}
	if p.List(nil) {
		t.Error("a webhook that a person deleted is registered again")
	}
	if s, why := p.State(at(1)); s != Lost || why == "" {
		t.Errorf("state %d %q", s, why)
	}
}

func TestARegistrationComesToAnEnd(t *testing.T) {
	p := opened(false)
	p.List(nil)
	p.Send()
	p.Resolve("", "refused")
	if s, why := p.State(at(1)); s != Lost || why != "refused" || p.List(nil) {
		t.Errorf("state %d %q", s, why)
	}
	p = opened(false)
	p.List(nil)
	p.Send()
	p.Asked(at(1))
	p.Resolve("", "")
	if p.ListDue() != p.opened || p.Registered() {
		t.Errorf("the list is read at %s", p.ListDue())
	}
	if p.List([]Hook{{ID: "wh_1", URL: url, All: true}}) || !p.Registered() {
		t.Error("one that the list shows is not taken for done")
	}
}

func TestAnEarlierRegistrationIsUsedAgain(t *testing.T) {
	for _, tt := range []struct {
		name  string
		known bool
		hook  Hook
		want  State
	}{
		{"with its secret", true, Hook{ID: "wh_1", URL: url, All: true}, Opening},
		{"without its secret", false, Hook{ID: "wh_1", URL: url, All: true}, Lost},
		{"not active", true, Hook{ID: "wh_1", URL: url, All: true, Off: true}, Lost},
		{"for some events", true, Hook{ID: "wh_1", URL: url}, Lost},
	} {
		p := opened(tt.known)
		if p.List([]Hook{tt.hook}) {
			t.Errorf("%s: it is registered a second time", tt.name)
		}
		if s, why := p.State(at(1)); s != tt.want || (why != "") != (tt.want == Lost) {
			t.Errorf("%s: state %d %q", tt.name, s, why)
		}
	}
	p := &Table{}
	p.Open(url, "wh_1", true, at(0))
	if p.List([]Hook{{ID: "wh_1", URL: url + "/", All: true}}) || !p.Registered() {
		t.Error("an address that the API writes otherwise is registered a second time")
	}
}

func TestAWebhookWithAnotherIDProvesAnew(t *testing.T) {
	p := table()
	p.Tell(0, at(1))
	p.find(0, 0, 2)
	p.List([]Hook{{ID: "wh_2", URL: url, All: true}})
	if p.Proven(0, at(3)) || !p.Registered() {
		t.Error("codes rest by what another webhook proved")
	}
}
