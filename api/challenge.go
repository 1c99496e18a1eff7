package api

import (
	"context"
	"encoding/json"
	"net/url"
	"time"
)

// ChallengeID identifies a 3DS challenge (prefix 3ds_).
type ChallengeID string

// UnmarshalJSON decodes and sanitises the identifier.
func (id *ChallengeID) UnmarshalJSON(b []byte) error { return setID(id, b) }

// ChallengeStatus is the state of a challenge. Values this program does not
// know are kept as sent, sanitised.
type ChallengeStatus string

// The states of a challenge.
const (
	ChallengePending   ChallengeStatus = "pending"
	ChallengeCompleted ChallengeStatus = "completed"
	ChallengeExpired   ChallengeStatus = "expired"
)

// UnmarshalJSON decodes and sanitises the state.
func (s *ChallengeStatus) UnmarshalJSON(b []byte) error { return setEnum(s, b) }

// ChallengeLifetime is how long a code is good for (contract, Limits).
const ChallengeLifetime = 5 * time.Minute

// Challenge is a 3DS challenge. Its code may be missing from the list; then
// the challenge is asked for by id (ASSUMED 19).
type Challenge struct {
	ID        ChallengeID     `json:"id"`
	CardID    CardID          `json:"card_id"`
	Merchant  Text            `json:"merchant"`
	Amount    *USD            `json:"amount"`
	OTP       OTP             `json:"otp"`
	Status    ChallengeStatus `json:"status"`
	ExpiresAt time.Time       `json:"expires_at"`
	CreatedAt time.Time       `json:"created_at"`
}

// UnmarshalJSON decodes a challenge; id and status must be there.
func (c *Challenge) UnmarshalJSON(b []byte) error {
	type plain Challenge
	w := struct {
		*plain
		ExpiresAt stamp `json:"expires_at"`
		CreatedAt stamp `json:"created_at"`
	}{plain: (*plain)(c)}
	if err := json.Unmarshal(b, &w); err != nil {
		return err
	}
	c.ExpiresAt, c.CreatedAt = w.ExpiresAt.time(), w.CreatedAt.time()
	if c.Status == "" {
		return missing("challenge", "status")
	}
	return needID(c.ID, "challenge")
}

// Wipe overwrites the code.
func (c *Challenge) Wipe() { c.OTP.Wipe() }

// ListChallengesOptions narrows a list of challenges; the zero value asks for
// all.
type ListChallengesOptions struct {
	CardID CardID
	Status ChallengeStatus
}

// ListChallenges asks for the challenges, most likely with their codes.
func (c *Client) ListChallenges(ctx context.Context, o ListChallengesOptions) ([]Challenge, error) {
	if err := oneOf("status", o.Status, ChallengePending, ChallengeCompleted, ChallengeExpired); err != nil {
		return nil, err
	}
	q := url.Values{}
	set(q, "card_id", o.CardID)
	set(q, "status", o.Status)
	return list[Challenge](ctx, c, request{route: "/3ds", path: "/3ds", query: q, sensitive: true})
}

// GetChallenge asks for one challenge with its code.
func (c *Client) GetChallenge(ctx context.Context, id ChallengeID) (Challenge, error) {
	s, err := segment("challenge", id)
	if err != nil {
		return Challenge{}, err
	}
	return get[Challenge](ctx, c, request{route: "/3ds/{challenge_id}", path: "/3ds/" + s, sensitive: true})
}
