package hub

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/hub/team"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
)

func every(*codes.Code) bool { return true }

func TestCodesAreWrittenWithWhatIsKeptOfThem(t *testing.T) {
	t.Parallel()
	made := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	texts := make(codeTexts)
	code := func(i int, otp string) codes.Code {
		c := codes.Code{ID: api.ChallengeID(fmt.Sprint("ch_", i)), Card: "card_1", Merchant: `A "B"`, Status: api.ChallengePending, CreatedAt: made}
		if otp != "" {
			c.OTP = api.NewOTP(otp)
		}
		return c
	}
	waiting := code(2, "")
	waiting.Amount, waiting.AmountKnown, waiting.ExpiresAt = 1234*api.Cent, true, made.Add(time.Minute)
	all := []codes.Code{code(1, "482913"), waiting}
	const first = `{"id":"ch_1","card_id":"card_1","merchant":"A \"B\"","amount":null,"status":"pending","expires_at":null,"created_at":"2026-03-04T05:06:07Z","otp":"482913"}`
	const second = `{"id":"ch_2","card_id":"card_1","merchant":"A \"B\"","amount":12.34,"status":"pending","expires_at":"2026-03-04T05:07:07Z","created_at":"2026-03-04T05:06:07Z","otp":null}`
	for range 2 { // Also of what is kept.
		body := texts.list(all, nil, every)
		if got, want := string(body), `{"data":[`+first+`,`+second+`]}`; got != want {
			t.Errorf("the list is\n%s, not\n%s", got, want)
		}
		if got := string(texts.one(&all[0])); got != first {
			t.Errorf("one is %s", got)
		}
		if got := string(texts.list(all, nil, func(c *codes.Code) bool { return c.ID == "ch_2" })); got != `{"data":[`+second+`]}` {
			t.Errorf("the second alone is %s", got)
		}
		clear(body) // It is wiped when it is sent.
	}
	if got := string(texts.list(nil, nil, every)); got != `{"data":[]}` {
		t.Errorf("no codes are %s", got)
	}
	for _, kept := range texts {
		if bytes.Contains(kept.text, []byte("482913")) || !kept.of.OTP.IsZero() {
			t.Errorf("a code is kept: %s", kept.text)
		}
	}
	kept := &texts["ch_2"].text[0]
	all[0].OTP, all[1].OTP = api.NewOTP("550011"), api.NewOTP("117395") // Nothing but the codes.
	if got, want := string(texts.list(all, nil, every)), `{"data":[`+strings.Replace(first, "482913", "550011", 1)+`,`+strings.Replace(second, "null}", `"117395"}`, 1)+`]}`; got != want {
		t.Errorf("with other codes the list is\n%s, not\n%s", got, want)
	}
	if kept != &texts["ch_2"].text[0] {
		t.Error("a challenge is written anew for its code")
	}
	all[1].Amount = 13 * api.Dollar
	if got := string(texts.one(&all[1])); !strings.Contains(got, `"amount":13,`) {
		t.Errorf("a challenge that changed is %s", got)
	}
}

// TestOnlyChallengesThatAreThereAreKept keeps as many as there are, also of many, and what
// a person does not see is not written.
func TestOnlyChallengesThatAreThereAreKept(t *testing.T) { // Others would be counted, so it is not parallel.
	const many = 1000
	texts := make(codeTexts)
	list := make([]codes.Code, many)
	want := `{"data":[`
	for i := range list {
		list[i] = codes.Code{ID: api.ChallengeID(fmt.Sprint("ch_", i)), Card: "card_1", OTP: api.NewOTP("482913")}
		want += fmt.Sprintf(`{"id":"ch_%d","card_id":"card_1","merchant":"","amount":null,"status":"","expires_at":null,"created_at":null,"otp":"482913"},`, i)
	}
	texts.list(list, nil, func(c *codes.Code) bool { return c.ID == "ch_7" })
	if len(texts) != 1 {
		t.Errorf("%d challenges were written, 1 is seen", len(texts))
	}
	for range 2 {
		if got := string(texts.list(list, nil, every)); got != strings.TrimSuffix(want, ",")+"]}" {
			t.Errorf("the list is %s", got)
		}
	}
	if n := testing.AllocsPerRun(1, func() { texts.list(list, nil, every) }); n > 1 {
		t.Errorf("many are made in %.0f pieces", n)
	}
	if texts.keep(list); len(texts) != many {
		t.Errorf("%d of %d are kept", len(texts), many)
	}
	texts.keep(list[:3])
	if _, there := texts["ch_2"]; len(texts) != 3 || !there {
		t.Errorf("%d of 3 are kept", len(texts))
	}
}

// TestACodeIsCopiedOnce keeps a list from growing while it is written: what it grew out of
// would stay in memory with its codes.
func TestACodeIsCopiedOnce(t *testing.T) { // Others would be counted, so it is not parallel.
	texts := make(codeTexts)
	list := make([]codes.Code, 40)
	for i := range list {
		list[i] = codes.Code{ID: api.ChallengeID(fmt.Sprint("ch_", i)), OTP: api.NewOTP("48291300")}
	}
	texts.list(list, nil, every)
	if n := testing.AllocsPerRun(100, func() { texts.list(list, nil, every) }); n > 1 {
		t.Errorf("a list is made in %.0f pieces", n)
	}
	if n := testing.AllocsPerRun(100, func() { texts.one(&list[0]) }); n > 1 {
		t.Errorf("a challenge is made in %.0f pieces", n)
	}
}

func TestAChangeForgetsChallengesThatAreOver(t *testing.T) {
	t.Parallel()
	s := New(Config{Now: time.Now, Tell: func(string) {}, Team: team.Fixed(&team.Team{})}) //nolint:forbidigo // nothing is compared with it
	s.texts.one(&codes.Code{ID: "ch_over"})
	s.changed(state.New(settings.Config{}), kernel.TopicCodes)
	if len(s.texts) != 0 {
		t.Errorf("%d challenges are kept, and none is there", len(s.texts))
	}
}
