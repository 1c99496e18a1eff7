package api

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

func at(s string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}

func TestDecodeCard(t *testing.T) {
	in := `{"id":"card_1","bin_id":"428800","network":"visa","last4":"4242","status":"melted\u001b[1m","balance":50.005,
	"spending_limit":null,"label":"fb\u0000/1","allowed_categories":["7311","5734"],"auto_freeze_at":10,
	"metadata":{"team":"a","n":3,"deep":{"x": [1]},"none":null},"created_at":"2026-03-01T14:00:00.5+02:00","expires_at":"2029-03-01","new_field":{"a":1}}`
	var c Card
	must(t, json.Unmarshal([]byte(in), &c))
	freeze := 10 * Dollar
	want := Card{
		ID: "card_1", BIN: "428800", Network: "visa", Last4: "4242", Status: "melted", Balance: 50_005_000,
		Label: "fb/1", AllowedCategories: []Text{"7311", "5734"}, AutoFreezeAt: &freeze,
		Metadata:  Metadata{"team": "a", "n": "3", "deep": `{"x":[1]}`, "none": ""},
		CreatedAt: at("2026-03-01T12:00:00.5Z"), ExpiresAt: at("2029-03-01T00:00:00Z"),
	}
	if !reflect.DeepEqual(c, want) {
		t.Errorf("got %+v", c)
	}
	if c.CreatedAt.Location() != time.UTC {
		t.Error("not UTC")
	}
}

// TestALabelThatIsNotSaid is not an empty one.
func TestALabelThatIsNotSaid(t *testing.T) {
	t.Parallel()
	for fields, none := range map[string]bool{``: true, `"label":null,`: true, `"label":"",`: false, `"label":"fb",`: false} {
		body := []byte(`{` + fields + `"id":"card_1","status":"active","balance":1}`)
		var card Card
		var item CardItem
		var summary CardSummary
		for _, to := range []any{&card, &item, &summary} {
			must(t, json.Unmarshal(body, to))
		}
		if card.NoLabel != none || item.NoLabel != none || summary.NoLabel != none || card.Label != item.Label || item.Label != summary.Label {
			t.Errorf("%q: %v %v %v", fields, card.NoLabel, item.NoLabel, summary.NoLabel)
		}
		again, err := json.Marshal(item)
		must(t, err)
		var other CardItem
		if err := json.Unmarshal(again, &other); err != nil || other.NoLabel != none {
			t.Errorf("%q, passed on by a hub: %v, %v", fields, other.NoLabel, err)
		}
	}
}

func TestTimestamps(t *testing.T) {
	for in, want := range map[string]string{
		`"2026-03-01T12:00:00Z"`:           "2026-03-01T12:00:00Z",
		`"2026-03-01T12:00:00.123456789Z"`: "2026-03-01T12:00:00.123456789Z",
		`"2026-03-01T14:30:00+02:30"`:      "2026-03-01T12:00:00Z",
		`"2026-03-01T07:00:00-0500"`:       "2026-03-01T12:00:00Z",
		`"2026-03-01T12:00:00"`:            "2026-03-01T12:00:00Z",
		`"2026-03-01T12:00:00.25"`:         "2026-03-01T12:00:00.25Z",
		`"2026-03-01 12:00:00+00:00"`:      "2026-03-01T12:00:00Z",
	} {
		var s timestamp
		if err := json.Unmarshal([]byte(in), &s); err != nil || !s.time().Equal(at(want)) {
			t.Errorf("%s: %v, %v", in, s.time(), err)
		}
	}
	for _, bad := range []string{`""`, `"soon"`, `1772366400`, `"2026-13-01T00:00:00Z"`, `{}`, `"2026-02-30T00:00:00Z"`} {
		var s timestamp
		if json.Unmarshal([]byte(bad), &s) == nil {
			t.Errorf("%s was taken", bad)
		}
	}
}

// TestMissingFields removes each field of a full object in turn: the required
// ones must fail, the others must not, absent or null.
func TestMissingFields(t *testing.T) {
	tests := []struct {
		name     string
		fresh    func() any
		full     string
		required string
	}{
		{"card", func() any { return new(Card) }, `{"id":"a","bin_id":"b","network":"n","last4":"1","status":"active","balance":1,"spending_limit":1,"label":"l","allowed_categories":["1"],"auto_freeze_at":1,"metadata":{"a":"b"},"created_at":"2026-03-01T12:00:00Z","expires_at":"2026-03-01T12:00:00Z"}`, "id status balance"},
		{"item", func() any { return new(CardItem) }, `{"id":"a","bin_id":"b","network":"n","last4":"1","status":"active","balance":1,"label":"l","created_at":"2026-03-01T12:00:00Z"}`, "id status balance"},
		{"summary", func() any { return new(CardSummary) }, `{"id":"a","bin_id":"b","network":"n","last4":"1","status":"active","balance":1,"spending_limit":1,"total_spent":1,"transaction_count":1,"label":"l","metadata":{},"created_at":"2026-03-01T12:00:00Z","expires_at":"2026-03-01T12:00:00Z","last_used_at":"2026-03-01T12:00:00Z"}`, "id status balance"},
		{"details", func() any { return new(CardDetails) }, `{"id":"a","pan":"4","cvv":"1","exp_month":1,"exp_year":2029,"holder_name":"h","billing_address":{"line1":"1"}}`, "id pan cvv"},
		{"freeze", func() any { return new(FreezeResult) }, `{"id":"a","status":"frozen","frozen_at":"2026-03-01T12:00:00Z"}`, "id status"},
		{"terminate", func() any { return new(TerminateResult) }, `{"id":"a","status":"terminated","refunded_amount":1,"terminated_at":"2026-03-01T12:00:00Z"}`, "id status"},
		{"fund", func() any { return new(FundResult) }, `{"id":"a","previous_balance":1,"funded_amount":1,"new_balance":1,"wallet_balance":1}`, "id previous_balance funded_amount new_balance wallet_balance"},
		{"withdraw", func() any { return new(WithdrawResult) }, `{"id":"a","previous_balance":1,"withdrawn_amount":1,"new_balance":1,"wallet_balance":1}`, ""},
		{"transaction", func() any { return new(Transaction) }, `{"id":"a","card_id":"c","type":"refund","amount":1,"currency":"USD","merchant":{"name":"m"},"balance_after":1,"created_at":"2026-03-01T12:00:00Z"}`, "id type amount"},
		{"detail", func() any { return new(TransactionDetail) }, `{"id":"a","card_id":"c","type":"refund","amount":1,"mcc":"1","timeline":[],"three_ds_status":"x"}`, "id type amount"},
		{"wallet", func() any { return new(Wallet) }, `{"balance":1,"currency":"USD","pending_deposits":1,"total_deposited":1,"total_spent":1,"cards_active":1,"cards_total_balance":1}`, "balance"},
		{"addresses", func() any { return new(DepositAddresses) }, `{"addresses":{"btc":"1"},"networks":{"btc":"bitcoin"},"min_deposit":{"btc":"0.1"}}`, "addresses"},
		{"deposit", func() any { return new(Deposit) }, `{"id":"a","currency":"btc","amount_crypto":"0.1","amount_usd":1,"fee_usd":1,"credited_usd":1,"status":"pending","tx_hash":"h","confirmations":1,"created_at":"2026-03-01T12:00:00Z","confirmed_at":"2026-03-01T12:00:00Z"}`, "id status"},
		{"bin", func() any { return new(BIN) }, `{"id":"a","network":"visa","type":"t","issuer_country":"US","3ds":true,"apple_pay":true,"max_transaction":1,"max_monthly":1,"acceptance_rate":97.5,"best_for":["ads"]}`, "id"},
		{"challenge", func() any { return new(Challenge) }, `{"id":"a","card_id":"c","merchant":"m","amount":1,"otp":"1","status":"pending","expires_at":"2026-03-01T12:00:00Z","created_at":"2026-03-01T12:00:00Z"}`, "id status"},
		{"webhook", func() any { return new(Webhook) }, `{"id":"a","url":"u","events":["*"],"secret":"s","active":true,"created_at":"2026-03-01T12:00:00Z"}`, "id"},
		{"page", func() any { return new(Page[CardItem]) }, `{"data":[],"pagination":{}}`, "data"},
	}
	for _, tt := range tests {
		if err := json.Unmarshal([]byte(tt.full), tt.fresh()); err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		var fields map[string]json.RawMessage
		must(t, json.Unmarshal([]byte(tt.full), &fields))
		for field, kept := range fields {
			required := strings.Contains(" "+tt.required+" ", " "+field+" ")
			fields[field] = json.RawMessage("null")
			null, _ := json.Marshal(fields)
			delete(fields, field)
			absent, _ := json.Marshal(fields)
			fields[field] = kept
			for _, body := range [][]byte{null, absent} {
				if err := json.Unmarshal(body, tt.fresh()); (err != nil) != required {
					t.Errorf("%s: %s: %v", tt.name, body, err)
				}
			}
		}
	}
}

func TestDecodeTransactionDetail(t *testing.T) {
	in := `{"id":"txn_1","card_id":"c","type":"decline","amount":250,"currency":"USD","merchant":{"name":"M","city":"Dublin","geo":{"lat":1.5}},
	"mcc":7311,"three_ds_status":"failed","decline_reason":"balance","timeline":[{"status":"declined","at":"2026-03-01T12:00:00Z"}],
	"zeta":true,"alpha":"x\u001b[1m","auth":null}`
	var d TransactionDetail
	must(t, json.Unmarshal([]byte(in), &d))
	extra := []Field{{"alpha", "x"}, {"auth", ""}, {"merchant.city", "Dublin"}, {"merchant.geo", `{"lat":1.5}`}, {"zeta", "true"}}
	if !reflect.DeepEqual(d.Extra, extra) || d.MCC != "7311" || d.ThreeDSStatus != "failed" || d.DeclineReason != "balance" || d.Merchant.Name != "M" {
		t.Errorf("got %+v", d)
	}
	if len(d.Timeline) != 1 || d.Timeline[0] != (TimelineStep{"declined", at("2026-03-01T12:00:00Z")}) {
		t.Errorf("timeline %+v", d.Timeline)
	}
	d = TransactionDetail{}
	step := `{"id":"txn_1","type":"decline","amount":250,"timeline":[{"status":"requested","at":"2026-03-01T12:00:00Z"},{"status":"declined","at":"2026-03-01T12:00:00Z","reason":"do_not_honor"}]}`
	if err := json.Unmarshal([]byte(step), &d); err != nil || len(d.Timeline) != 2 || !slices.Equal(d.Reasons(), []Text{"do_not_honor"}) {
		t.Errorf("a reason in a step: %v, %q, %+v", err, d.Reasons(), d.Timeline)
	}
	d = TransactionDetail{}
	list := `{"id":"txn_1","type":"decline","amount":250,"authorization_timeline":[{"event":"a","reason":"approved_by_network"},{"event":"b","reason":"stolen card","event_id":"ev_1"}]}`
	if err := json.Unmarshal([]byte(list), &d); err != nil || !slices.Equal(d.Reasons(), []Text{"stolen card", "approved_by_network"}) {
		t.Errorf("a reason in a list: %v, %q", err, d.Reasons())
	}
	d = TransactionDetail{}
	odd := `{"id":"txn_1","type":"decline","amount":250,"mcc":{"a":1},"timeline":["declined",{"at":1}]}`
	d = TransactionDetail{}
	must(t, json.Unmarshal([]byte(odd), &d))
	if want := []Field{{"mcc.a", "1"}, {"timeline", `["declined",{"at":1}]`}}; !reflect.DeepEqual(d.Extra, want) {
		t.Errorf("got %+v", d.Extra)
	}
}

func TestDecodeBIN(t *testing.T) {
	var b BIN
	in := `{"id":"428800","3ds":true,"google_pay":false,"apple_pay":true,"samsung_pay":null,"x_pay":"yes","max_monthly":10000,"acceptance_rate":97.5,"best_for":["ads"]}`
	must(t, json.Unmarshal([]byte(in), &b))
	if want := []PhoneWallet{{"apple_pay", true}, {"google_pay", false}}; !reflect.DeepEqual(b.Wallets, want) {
		t.Errorf("got %+v", b.Wallets)
	}
	if !b.ThreeDS || *b.MaxMonthly != 10_000*Dollar || b.MaxTransaction != nil || *b.AcceptanceRate != 97.5 {
		t.Errorf("got %+v", b)
	}
}

func TestDecodeOTP(t *testing.T) {
	for in, want := range map[string]string{`"012345"`: "012345", `null`: ""} {
		var c Challenge
		err := json.Unmarshal([]byte(`{"id":"3ds_1","status":"pending","otp":`+in+`}`), &c)
		if err != nil || c.OTP.Expose() != want || c.Amount != nil {
			t.Errorf("%s: %q, %v", in, c.OTP.Expose(), err)
		}
		c.Wipe()
		if !c.OTP.IsZero() {
			t.Error("the code survives")
		}
	}
}

func TestDecodeWebhookList(t *testing.T) {
	for _, in := range []string{`[{"id":"wh_1"},{"id":"wh_2"}]`, ` {"data":[{"id":"wh_1"},{"id":"wh_2"}]}`} {
		if l, err := DecodeWebhooks([]byte(in)); err != nil || len(l.Data) != 2 || l.Data[1].ID != "wh_2" {
			t.Errorf("%s: %+v, %v", in, l, err)
		}
	}
	for _, bad := range []string{`{}`, `null`, `{"data":null}`, `{"data":{}}`, `[{}]`} {
		if _, err := DecodeWebhooks([]byte(bad)); err == nil {
			t.Errorf("%s was taken", bad)
		}
	}
}

// TestAListIsReadItemByItem has one item in each list that cannot be read, and fields that
// can be done without.
func TestAListIsReadItemByItem(t *testing.T) {
	const good = `{"id":"3ds_9","status":"pending","otp":"482913"}`
	for _, tt := range []struct{ bad, id string }{
		{`{"id":"3ds_1","status":"pending","otp":true}`, "3ds_1"},
		{`{"id":"3ds_1","status":"pending","otp":482913}`, "3ds_1"},
		{`{"id":"3ds_1","status":null,"otp":"1"}`, "3ds_1"},
		{`{"id":"3ds_1","status":7}`, "3ds_1"},
		{`{"id":5,"status":"pending"}`, ""},
		{`null`, ""},
		{`[]`, ""},
		{`"x"`, ""},
		{`7`, ""},
		{`{}`, ""},
		{`{"id":"4111111111111111","status":[]}`, "[redacted]"},
	} {
		for _, in := range []string{`{"data":[` + tt.bad + `,` + good + `]}`, `{"data":[` + good + `,` + tt.bad + `]}`} {
			p, err := DecodePage[Challenge]([]byte(in))
			if err != nil || len(p.Data) != 1 || p.Data[0].OTP.Expose() != "482913" || p.Rows != 2 || len(p.Unread) != 1 || string(p.Unread[0].ID) != tt.id || (tt.id == "") != (p.Unread[0].Row > 0) {
				t.Errorf("%s: %+v, %v", in, p, err)
			}
		}
	}
	c, err := DecodePage[Challenge]([]byte(`{"data":[{"id":"3ds_1","card_id":5,"status":"odd","otp":"12","expires_at":"soon","amount":"many","merchant":{}}]}`))
	if err != nil || c.Unread != nil || c.Data[0].Status != "odd" || c.Data[0].OTP.Expose() != "12" || !c.Data[0].ExpiresAt.IsZero() || c.Data[0].Amount != nil {
		t.Errorf("%+v, %v", c, err)
	}
	x, err := DecodePage[Transaction]([]byte(`{"data":[{"id":"txn_1","type":"refund","amount":1,"created_at":"soon"},{"id":"txn_2","type":"refund","amount":"1"},{"id":"txn_3","type":"refund","amount":3,"merchant":"Acme"}],"pagination":{"page":2,"total":9}}`))
	if err != nil || len(x.Data) != 1 || x.Data[0].ID != "txn_3" || len(x.Unread) != 2 || x.Rows != 3 || x.Pagination.Total != 9 {
		t.Errorf("%+v, %v", x, err)
	}
	w, err := DecodeWebhooks([]byte(`[{"id":"wh_1"},{"url":"https://x"}]`))
	if err != nil || len(w.Data) != 1 || len(w.Unread) != 1 {
		t.Errorf("%+v, %v", w, err)
	}
}

// TestAnIdentifierIsNeverMadeAnother: what cleaning would change is an item that cannot be read, and
// not the item that it would be taken for.
func TestAnIdentifierIsNeverMadeAnother(t *testing.T) {
	for _, odd := range []string{`card_é`, `card_X\n`, `card_X `, `\u200bcard_X`, `card_\u001b[1mX`, strings.Repeat("a", 5000), strings.Repeat("a", maxID+1)} {
		p, err := DecodePage[CardItem]([]byte(`{"data":[{"id":"card_X","status":"active","balance":1},{"id":"` + odd + `","status":"frozen","balance":2}],"pagination":{"page":3}}`))
		if err != nil || len(p.Data) != 1 || p.Data[0].ID != "card_X" || p.Data[0].Balance != Dollar || p.Rows != 2 || len(p.Unread) != 1 || p.Unread[0] != (Unread{Page: 3, Row: 2}) {
			t.Errorf("%.20s: %+v, %v", odd, p, err)
		}
		x, err := DecodePage[Transaction]([]byte(`{"data":[{"id":"txn_1","card_id":"` + odd + `","type":"refund","amount":1},{"id":"txn_2","card_id":"card_X","type":"refund","amount":1}]}`))
		if err != nil || len(x.Data) != 1 || x.Data[0].ID != "txn_2" || len(x.Unread) != 1 || x.Unread[0].ID != "txn_1" {
			t.Errorf("transaction of %.20s: %+v, %v", odd, x, err)
		}
		c, err := DecodePage[Challenge]([]byte(`{"data":[{"id":"3ds_1","card_id":"` + odd + `","status":"pending","otp":"12"}]}`))
		if err != nil || len(c.Data) != 1 || c.Data[0].CardID != "" || c.Data[0].OTP.Expose() != "12" {
			t.Errorf("code of %.20s: %+v, %v", odd, c, err)
		}
		for _, answer := range []any{new(FundResult), new(WithdrawResult), new(FreezeResult), new(TerminateResult), new(Card), new(CardDetails), new(Webhook)} {
			in := `{"id":"` + odd + `","previous_balance":1,"funded_amount":2,"new_balance":3,"wallet_balance":4,"status":"frozen","balance":1,"pan":"4111111111111111","cvv":"123"}`
			if _, ok := answer.(*TerminateResult); ok {
				in = strings.Replace(in, "frozen", "terminated", 1)
			}
			if json.Unmarshal([]byte(in), answer) == nil {
				t.Errorf("%T about %.20s is taken: %+v", answer, odd, answer)
			}
		}
	}
	var d DepositAddresses
	if err := json.Unmarshal([]byte(`{"addresses":{"btc":"b","btc\u200b":"x","eth":"e"},"networks":{}}`), &d); err != nil || len(d.Addresses) != 1 || d.Addresses["eth"] != "e" || len(d.Unread) != 1 {
		t.Errorf("%+v, %v", d, err)
	}
}

// TestMissingFieldsAreToldInOneLine, of one object once.
func TestMissingFieldsAreToldInOneLine(t *testing.T) {
	err := json.Unmarshal([]byte(`{"previous_balance":1,"funded_amount":2,"new_balance":3}`), new(FundResult))
	if err == nil || err.Error() != "decode fund result: id, wallet_balance are missing" {
		t.Error(err)
	}
	for _, object := range []any{new(Card), new(CardItem), new(CardSummary), new(Transaction), new(FundResult), new(FreezeResult), new(TerminateResult)} {
		if err := json.Unmarshal([]byte(`{}`), object); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%T: %v", object, err)
		}
	}
}

// TestAnAddressThatCannotBeReadLeavesTheOthers, and none without its network.
func TestAnAddressThatCannotBeReadLeavesTheOthers(t *testing.T) {
	var d DepositAddresses
	err := json.Unmarshal([]byte(`{"addresses":{"btc":"b","eth":5,"sol":"s"},"networks":{"btc":"bitcoin","sol":[]},"min_deposit":{"btc":{}}}`), &d)
	if err != nil || len(d.Addresses) != 1 || d.Addresses["btc"] != "b" || len(d.MinDeposit) != 0 || len(d.Unread) != 2 || d.Unread[0].ID != "eth" || d.Unread[1].ID != "sol" {
		t.Errorf("%+v, %v", d, err)
	}
}

// TestWhatIsListedTwiceIsThereOnce, as it was listed last.
func TestWhatIsListedTwiceIsThereOnce(t *testing.T) {
	p, err := DecodePage[Challenge]([]byte(`{"data":[{"id":"3ds_1","status":"pending","otp":"1"},{"id":"3ds_2","status":"pending"},{"id":"3ds_1","status":"pending","otp":"2"}]}`))
	if err != nil || len(p.Data) != 2 || p.Data[0].OTP.Expose() != "2" || p.Data[1].ID != "3ds_2" || p.Rows != 3 {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestErrorText(t *testing.T) {
	tests := []struct {
		err  *Error
		want string
	}{
		{&Error{Status: 404, ID: "not_found", Message: "no such card", RequestID: "req_1", Method: "GET", Route: "/cards/{card_id}"}, "get /cards/{card_id}: 404 not_found: no such card (req_1)"},
		{&Error{Status: 502, Kind: ErrNotJSON, Method: "POST", Route: "/cards"}, "post /cards: 502: the answer is not json"},
		{&Error{Kind: ErrUnreachable, Message: "timed out", Method: "GET", Route: "/bins"}, "get /bins: the api cannot be reached: timed out"},
		{Invalid("card id is missing"), "invalid request: card id is missing"},
	}
	for _, tt := range tests {
		if got := tt.err.Error(); got != tt.want {
			t.Errorf("got %q", got)
		}
	}
	if Done.String()+Refused.String()+Unknown.String() != "donerefusedunknown" {
		t.Error("wrong names")
	}
	if !errors.Is(Invalid("x"), ErrInvalid) || errors.Is(&Error{Status: 200}, ErrInvalid) {
		t.Error("wrong kind")
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{
		`{"id":"a","status":"frozen","balance":1e2}`, `{"data":[{"id":"a","status":"pending","otp":1}],"pagination":{"page":1}}`,
		`{"id":"a","type":"x","amount":-0.5,"timeline":[{"status":"s","at":"2026-01-01"}],"merchant":{"x":[]}}`,
		`{"addresses":{"btc":"x"},"min_deposit":{"btc":1}}`, `[{"id":"wh"}]`, `{"id":"a","pan":"4","cvv":"1"}`, `null`, `[]`, `"x"`,
		`{"id":"a","apple_pay":true,"best_for":[null]}`, `{"balance":1,"metadata":{"a":{"b":[1]}}}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, v := range []any{
			new(Card), new(CardItem), new(CardSummary), new(CardDetails), new(FreezeResult), new(TerminateResult), new(FundResult),
			new(WithdrawResult), new(Page[Transaction]), new(TransactionDetail), new(Wallet), new(DepositAddresses), new(Page[Deposit]),
			new(Page[BIN]), new(BIN), new(Page[Challenge]), new(Page[Webhook]), new(DeleteResult),
		} {
			if err := json.Unmarshal(b, v); err != nil {
				continue
			}
			if d, ok := v.(*TransactionDetail); ok {
				for _, x := range d.Extra {
					if Clean(string(x.Name)) != x.Name || Clean(string(x.Value)) != x.Value {
						t.Fatalf("%q is not clean", x)
					}
				}
			}
		}
	})
}

// TestTheReasonsOfADecline are found in fields of any name that may have one, and within objects.
func TestTheReasonsOfADecline(t *testing.T) {
	for in, want := range map[string][]Text{
		`{"decline_reason":"insufficient_funds"}`:                                                   {"insufficient_funds"},
		`{"failure":{"message":"Card is frozen","code":14,"request_id":"r_1"}}`:                     {"14", "Card is frozen"},
		`{"response_text":"NSF","merchant":{"name":"M","error":"x"},"description":"FACEBK ADS"}`:    {"NSF"},
		`{"decline_reason":null,"error":{"nested":{"message":"deep"}},"message":"Do not honor"}`:    {"Do not honor"},
		`{"decline_reason":"a","reason":"a","failure_reason":"b","declined_at":"2026-03-01","n":1}`: {"a", "b"},
		`{"x":1}`: nil,
	} {
		var d TransactionDetail
		must(t, json.Unmarshal([]byte(`{"id":"txn_1","type":"decline","amount":-5,`+in[1:]), &d))
		if got := d.Reasons(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}
