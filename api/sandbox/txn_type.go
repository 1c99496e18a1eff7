package sandbox

// txnType is how the type of a transaction is stored.
type txnType int

const (
	txnAuthorization txnType = iota + 1
	txnSettlement
	txnRefund
	txnDecline
)

func (t txnType) String() string {
	return [...]string{"", "authorization", "settlement", "refund", "decline"}[t]
}

// past is the step that a transaction of the type adds to a timeline, and the
// last part of the event that tells of it.
func (t txnType) past() string {
	return [...]string{"", "authorized", "settled", "refunded", "declined"}[t]
}

func typeOf(name string) txnType {
	for t := txnAuthorization; t <= txnDecline; t++ {
		if t.String() == name {
			return t
		}
	}
	return 0
}

// threeDS is the outcome of a transaction's challenge (ASSUMED 27).
type threeDS int

const (
	notChallenged threeDS = iota
	challengePassed
	challengeFailed
)

func (t threeDS) String() string {
	return [...]string{"not_required", "authenticated", "failed"}[t]
}

// merchant is the contract's merchant of a transaction.
type merchant struct {
	Name     string `json:"name"`
	Category string `json:"category"`
	MCC      string `json:"mcc"`
	Country  string `json:"country"`
}
