package app

import (
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/news"
	"github.com/cardtop/cardtop/state/settings"
)

func TestAnEventIsOneLineOfJSON(t *testing.T) {
	amount := 1250 * api.Cent
	got := string(EventLine(news.News{
		Kind: news.Code, At: time.Date(2026, 3, 1, 12, 0, 0, 999, time.UTC), ID: "3ds_1", Card: "card_1", Label: "fb/<x>", Last4: "2039",
		Merchant: "Meta", Amount: &amount,
	}))
	want := `{"event":"code_ready","at":"2026-03-01T12:00:00Z","id":"3ds_1","card_id":"card_1","label":"fb/<x>","last4":"2039","merchant":"Meta","amount":12.50}` + "\n"
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := string(EventLine(news.News{Kind: news.Alert, Type: "wallet low"})); strings.Count(got, "\n") != 1 || !strings.Contains(got, `"type":"wallet low"`) {
		t.Errorf("%s", got)
	}
}

func TestTheCommandRunsOnlyAtItsLevel(t *testing.T) {
	for level, want := range map[settings.NotifyLevel]string{settings.NotifyOff: "", settings.NotifyBell: "", settings.NotifyTerminal: "", settings.NotifyCommand: "cat"} {
		if got := hookLine(settings.Reloadable{Notify: level, OnEvent: "cat"}); got != want {
			t.Errorf("%s runs %q", level, got)
		}
	}
}
