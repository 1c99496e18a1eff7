package hub

import (
	"maps"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/codes"
)

// codeText is a challenge as it is written up to its code.
type codeText struct {
	of   codes.Code // without its code
	text []byte
}

// codeTexts are challenges as they are written, without their codes: all who are told of a
// code ask for it at once. They belong to the goroutine that owns the store.
type codeTexts map[api.ChallengeID]codeText

// keep forgets challenges that are over, so that no more are kept than there are.
func (t codeTexts) keep(all []codes.Code) {
	if len(t) <= len(all) {
		return
	}
	there := make(map[api.ChallengeID]bool, len(all))
	for i := range all {
		there[all[i].ID] = true
	}
	maps.DeleteFunc(t, func(id api.ChallengeID, _ codeText) bool { return !there[id] })
}

// of writes a challenge up to its code.
func (t codeTexts) of(c *codes.Code) []byte {
	of := *c
	of.OTP = api.OTP{}
	if was, ok := t[c.ID]; ok && was.of == of {
		return was.text
	}
	var amount any
	if c.AmountKnown {
		amount = c.Amount
	}
	rest, _ := encode(struct { // Texts, a number and times.
		ID       api.ChallengeID     `json:"id"`
		Card     api.CardID          `json:"card_id"`
		Merchant api.Text            `json:"merchant"`
		Amount   any                 `json:"amount"`
		Status   api.ChallengeStatus `json:"status"`
		Expires  any                 `json:"expires_at"`
		Created  any                 `json:"created_at"`
	}{c.ID, c.Card, c.Merchant, amount, c.Status, stamp(c.ExpiresAt), stamp(c.CreatedAt)})
	t[c.ID] = codeText{of, append(rest[:len(rest)-1:len(rest)-1], `,"otp":`...)}
	return t[c.ID].text
}

// one writes a challenge with its code.
func (t codeTexts) one(c *codes.Code) []byte {
	text := t.of(c)
	return appendCode(make([]byte, 0, len(text)+codeLen(c)), text, c)
}

// list writes those of some challenges that are seen, with their codes, and what of the
// list cannot be read. A code is copied once, into what is wiped when it is sent.
func (t codeTexts) list(all []codes.Code, unread []unreadItem, seen func(*codes.Code) bool) []byte {
	const begin = `{"data":[`
	end := endOf(unread)
	size := len(begin) + len(end)
	for i := range all {
		if !seen(&all[i]) {
			continue
		}
		size += len(t.of(&all[i])) + codeLen(&all[i]) + len(",")
	}
	out := append(make([]byte, 0, size), begin...)
	for i := range all {
		if !seen(&all[i]) {
			continue
		}
		if len(out) > len(begin) {
			out = append(out, ',')
		}
		out = appendCode(out, t.of(&all[i]), &all[i])
	}
	return append(out, end...)
}

// endOf is the end of a list of which something cannot be read.
func endOf(unread []unreadItem) string {
	if len(unread) == 0 {
		return `]}`
	}
	list, _ := encode(unread) // Texts and numbers.
	return `],"unread":` + string(list) + `}`
}

// codeLen is no less than what appendCode adds to the text of a challenge.
func codeLen(c *codes.Code) int { return len(`null}`) + len(c.OTP.Bytes()) }

func appendCode(to, text []byte, c *codes.Code) []byte {
	to = append(to, text...)
	if c.OTP.IsZero() {
		return append(to, `null}`...)
	}
	return append(append(append(to, '"'), digits(c.OTP.Bytes())...), `"}`...)
}
