package hub

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/codes"
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
