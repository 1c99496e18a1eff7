package sim

// TxnType is the type of a transaction, as it is stored.
type TxnType int

// The types of transactions.
const (
	TxnAuthorization TxnType = iota + 1
	TxnSettlement
	TxnRefund
	TxnDecline
)

func (t TxnType) String() string {
	return [...]string{"", "authorization", "settlement", "refund", "decline"}[t]
}

// Step returns what a transaction of the type adds to a timeline, which is also the
// last part of its event.
func (t TxnType) Step() string {
	return [...]string{"", "authorized", "settled", "refunded", "declined"}[t]
}

// TxnTypeOf returns the type of a name, or 0.
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

// The outcomes.
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
