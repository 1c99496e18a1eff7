package api

import (
	"encoding/json"
	"net/url"
	"time"
)

// ChallengeID identifies a 3DS challenge (prefix 3ds_).
type ChallengeID string

// UnmarshalJSON decodes the identifier; one that is not printable ASCII is refused.
func (id *ChallengeID) UnmarshalJSON(b []byte) error { return setID(id, b) }

// ChallengeStatus is the status of a challenge. A value that this program does not
// know is kept as sent, sanitised.
type ChallengeStatus string

// The states of a challenge.
const (
	ChallengePending   ChallengeStatus = "pending"
	ChallengeCompleted ChallengeStatus = "completed"
	ChallengeExpired   ChallengeStatus = "expired"
)

// UnmarshalJSON decodes and sanitises the status.
func (s *ChallengeStatus) UnmarshalJSON(b []byte) error { return setEnum(s, b) }

// ChallengeLifetime is how long a code is valid (contract, Limits).
const ChallengeLifetime = 5 * time.Minute

// Challenge is a 3DS challenge. Its code may be absent from a list; then the challenge
// is requested by id (ASSUMED 19).
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

// UnmarshalJSON decodes a challenge; id and status are required.
func (c *Challenge) UnmarshalJSON(b []byte) error {
	type plain Challenge
	w := struct {
		*plain
		ExpiresAt timestamp `json:"expires_at"`
		CreatedAt timestamp `json:"created_at"`
	}{plain: (*plain)(c)}
	if err := json.Unmarshal(b, &w); err != nil {
		return err
	}
	c.ExpiresAt, c.CreatedAt = w.ExpiresAt.time(), w.CreatedAt.time()
	if c.Status == "" {
		return MissingField("challenge", "status")
	}
	return requireID(c.ID, "challenge")
}

func (c *Challenge) identifier() string { return string(c.ID) }

// essential is the code: a challenge is not shown as one that has none yet. One whose card cannot be
// read is shown as of no card: the code is waited for.
func (*Challenge) essential() []string { return []string{"otp"} }

// Wipe overwrites the code.
func (c *Challenge) Wipe() { c.OTP.Wipe() }

// ListChallengesOptions filters a list of challenges; the zero value lists all.
type ListChallengesOptions struct {
	CardID CardID
	Status ChallengeStatus
}

// Query returns the query of a list of challenges.
func (o ListChallengesOptions) Query() (url.Values, error) {
	q := url.Values{}
	set(q, "card_id", o.CardID)
	set(q, "status", o.Status)
	return q, oneOf("status", o.Status, ChallengePending, ChallengeCompleted, ChallengeExpired)
}
