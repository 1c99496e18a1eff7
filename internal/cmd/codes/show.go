package codes

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/clipboard"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/engine/await"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/errtext"
)

// print waits for the code and writes it in one piece, so that a reader gets
// all of it or nothing.
func (c checkout) print(ctx context.Context) error {
	r, err := c.code(ctx)
	if err != nil {
		return err
	}
	defer r.Digits.Wipe()
	text := append(bytes.Clone(r.Digits.Bytes()), '\n')
	if c.json {
		c.name(ctx, &r)
		if text, err = object(r); err != nil {
			return err
		}
	}
	defer clear(text)
	if _, err := c.Out.Write(text); err != nil {
		return fmt.Errorf("print code: %w", err)
	}
	c.claim(ctx, r.Code.ID)
	if c.interactive && !c.json {
		c.name(ctx, &r)
		c.Say("this code " + purpose(r) + ", " + left(r.Left) + " left")
	}
	return uncertain(r)
}

// uncertain returns an error for a code that is not known to be good.
func uncertain(r await.Result) error {
	if r.Code.Pending() {
		return nil
	}
	return &app.IncompleteError{Text: fmt.Sprintf("no pending code: this one has the unknown status %q and may not be valid", string(r.Code.Status))}
}

// copyTo waits for the code and puts it on the clipboard. The guard clears it
// later, also when this process has ended.
func (c checkout) copyTo(ctx context.Context, board clipboard.Board) error {
	r, err := c.code(ctx)
	if err != nil {
		return errors.Join(err, board.Close(true))
	}
	defer r.Digits.Wipe()
	report, err := cli.Copy(ctx, board, r.Digits.Bytes(), min(c.ttl, r.Left))
	if err != nil {
		return err
	}
	c.claim(ctx, r.Code.ID)
	c.name(ctx, &r)
	c.Say(cli.Copied(report, "the code "+purpose(r)))
	return uncertain(r)
}

// claim tells the others on a hub that the code is taken, as the dashboard does. The code
// is out already: that nobody was told is said, and is no failure.
func (c checkout) claim(ctx context.Context, id api.ChallengeID) {
	if !c.eng.OfHub() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, nameLimit)
	defer cancel()
	if failed, ok := c.eng.Run(ctx, codes.Claim{Challenge: id}).(state.FetchFailed); ok {
		c.Say("the others on the hub were not told that you take this code: " + errtext.Explain(nil, failed.Err))
	}
}

// purpose returns what a code authorizes: the user checks it before typing the
// code.
func purpose(r await.Result) string {
	merchant, amount := "an unknown merchant", "an unknown amount"
	if r.Code.Merchant != "" {
		merchant = string(r.Code.Merchant)
	}
	if r.Code.AmountKnown {
		amount = "$" + r.Code.Amount.Grouped()
	}
	card := string(r.Card.ID)
	if r.Card.Status != "" {
		card = r.Card.Name()
	}
	text := fmt.Sprintf("for %s, %s, %s", merchant, amount, card)
	if r.Code.Replaces != "" {
		text += ", which replaces an earlier one"
	}
	if r.Code.Status != api.ChallengePending {
		text += fmt.Sprintf(", whose status is %q", string(r.Code.Status))
	}
	return text
}

func left(d time.Duration) string {
	return fmt.Sprintf("%d:%02d", int(d.Minutes()), int(d.Seconds())%60)
}

// object returns the code as a line of JSON. What is not known is null.
func object(r await.Result) ([]byte, error) {
	o := struct {
		Code      string              `json:"code"`
		Card      api.CardID          `json:"card_id"`
		Last4     *api.Text           `json:"last4"`
		Label     *api.Text           `json:"label"`
		Merchant  api.Text            `json:"merchant"`
		Amount    *json.Number        `json:"amount"`
		Currency  string              `json:"currency"`
		Created   *time.Time          `json:"created_at"`
		Expires   *time.Time          `json:"expires_at"`
		Challenge api.ChallengeID     `json:"challenge_id"`
		Status    api.ChallengeStatus `json:"status"`
		Replaces  *api.ChallengeID    `json:"replaces"` // the code that it replaced
	}{
		Code: r.Digits.Expose(), Card: r.Card.ID, Merchant: r.Code.Merchant, Currency: "USD",
		Created: app.JSONTime(r.Code.CreatedAt), Expires: app.JSONTime(r.Code.ExpiresAt), Challenge: r.Code.ID, Status: r.Code.Status,
	}
	if r.Code.Replaces != "" {
		o.Replaces = &r.Code.Replaces
	}
	if r.Card.Status != "" {
		o.Last4, o.Label = &r.Card.Last4, &r.Card.Label
	}
	if r.Code.AmountKnown {
		o.Amount = app.JSONAmount((*api.Units)(&r.Code.Amount))
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(o); err != nil {
		return nil, fmt.Errorf("print code: %w", err)
	}
	return text.Bytes(), nil
}
