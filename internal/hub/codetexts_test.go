package hub

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
)

func every(*state.Code) bool { return true }

func TestCodesAreWrittenWithWhatIsKeptOfThem(t *testing.T) {
	t.Parallel()
	made := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	texts := make(codeTexts)
	code := func(i int, otp string) state.Code {
		c := state.Code{ID: api.ChallengeID(fmt.Sprint("ch_", i)), Card: "card_1", Merchant: `A "B"`, Status: api.ChallengePending, CreatedAt: made}
		if otp != "" {
			c.OTP = api.NewOTP(otp)
		}
		return c
	}
	waiting := code(2, "")
	waiting.Amount, waiting.AmountKnown, waiting.ExpiresAt = 1234*api.Cent, true, made.Add(time.Minute)
	all := []state.Code{code(1, "482913"), waiting}
	const first = `{"id":"ch_1","card_id":"card_1","merchant":"A \"B\"","amount":null,"status":"pending","expires_at":null,"created_at":"2026-03-04T05:06:07Z","otp":"482913"}`
	const second = `{"id":"ch_2","card_id":"card_1","merchant":"A \"B\"","amount":12.34,"status":"pending","expires_at":"2026-03-04T05:07:07Z","created_at":"2026-03-04T05:06:07Z","otp":null}`
	for range 2 { // Also of what is kept.
		body := texts.list(all, every)
		if got, want := string(body), `{"data":[`+first+`,`+second+`]}`; got != want {
			t.Errorf("the list is\n%s, not\n%s", got, want)
		}
		if got := string(texts.one(&all[0])); got != first {
			t.Errorf("one is %s", got)
		}
		if got := string(texts.list(all, func(c *state.Code) bool { return c.ID == "ch_2" })); got != `{"data":[`+second+`]}` {
			t.Errorf("the second alone is %s", got)
		}
		clear(body) // It is wiped when it is sent.
	}
	if got := string(texts.list(nil, every)); got != `{"data":[]}` {
		t.Errorf("no codes are %s", got)
	}
	for _, kept := range texts {
		if bytes.Contains(kept.text, []byte("482913")) || !kept.of.OTP.IsZero() {
			t.Errorf("a code is kept: %s", kept.text)
		}
	}
	all[1].Amount = 13 * api.Dollar
	all[1].OTP = api.NewOTP("117395")
	var now struct {
		Amount json.Number `json:"amount"`
		OTP    string      `json:"otp"`
	}
	if err := json.Unmarshal(texts.one(&all[1]), &now); err != nil || now.Amount != "13" || now.OTP != "117395" {
		t.Errorf("a challenge that changed is %+v, %v", now, err)
	}
	for i := range 3 * mostTexts {
		c := code(i, "")
		texts.one(&c)
	}
	if len(texts) > mostTexts {
		t.Errorf("%d challenges are kept", len(texts))
	}
}

// TestACodeIsCopiedOnce keeps a list from growing while it is written: what it grew out of
// would stay in memory with its codes.
func TestACodeIsCopiedOnce(t *testing.T) { // Others would be counted, so it is not parallel.
	texts := make(codeTexts)
	codes := make([]state.Code, 40)
	for i := range codes {
		codes[i] = state.Code{ID: api.ChallengeID(fmt.Sprint("ch_", i)), OTP: api.NewOTP("48291300")}
	}
	texts.list(codes, every)
	if n := testing.AllocsPerRun(100, func() { texts.list(codes, every) }); n > 1 {
		t.Errorf("a list is made in %.0f pieces", n)
	}
	if n := testing.AllocsPerRun(100, func() { texts.one(&codes[0]) }); n > 1 {
		t.Errorf("a challenge is made in %.0f pieces", n)
	}
}
