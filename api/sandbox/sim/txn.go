package sim

// TxnType is how the type of a transaction is stored.
type TxnType int

const (
	TxnAuthorization TxnType = iota + 1
	TxnSettlement
	TxnRefund
	TxnDecline
)

func (t TxnType) String() string {
	return [...]string{"", "authorization", "settlement", "refund", "decline"}[t]
}

// Step is the step that a transaction of the type adds to a timeline, and the
// last part of the event that tells of it.
func (t TxnType) Step() string {
	return [...]string{"", "authorized", "settled", "refunded", "declined"}[t]
}

func TxnTypeOf(name string) TxnType {
	for t := TxnAuthorization; t <= TxnDecline; t++ {
		if t.String() == name {
			return t
		}
	}
	return 0
}

// ThreeDS is the outcome of a transaction's challenge (ASSUMED 27).
type ThreeDS int

const (
	NotChallenged ThreeDS = iota
	ChallengePassed
	ChallengeFailed
)

func (t ThreeDS) String() string {
	return [...]string{"not_required", "authenticated", "failed"}[t]
}

// Merchant is the contract's merchant of a transaction.
type Merchant struct {
	Name     string `json:"name"`
	Category string `json:"category"`
	MCC      string `json:"mcc"`
	Country  string `json:"country"`
}
