package node

import (
	"slices"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/hub/cluster/oplog"
	"github.com/cardtop/cardtop/state"
)

// own is the history of this machine.
type own struct {
	engine.History
	records []state.Record
	fates   map[api.IdempotencyKey]state.StatusAt
}

func (o own) Fates([]api.IdempotencyKey, time.Time) (map[api.IdempotencyKey]state.StatusAt, error) {
	return o.fates, nil
}

func (o own) Hold(_ time.Time, use func([]state.Record) error) error { return use(o.records) }

func (o own) Load(limit int) ([]state.Record, error) {
	return o.records[:min(len(o.records), limit)], nil
}

// logged is the log of the hubs.
type logged []oplog.Record

func (l logged) Settled(since time.Time) []oplog.Record {
	return slices.DeleteFunc(slices.Clone(l), func(r oplog.Record) bool { return r.Op.Begun.Before(since) })
}

// TestWhatAnotherLeaderDidCountsThoughThisHubGaveItUp: a hub that was stopped takes an
// operation for unsent that another then did. When it leads again that counts once.
func TestWhatAnotherLeaderDidCountsThoughThisHubGaveItUp(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		mine state.OpStatus
		log  oplog.State
		want api.USD
	}{
		{"", oplog.Done, 70},
		{state.OpStatusNotSent, oplog.Done, 70},
		{state.OpStatusRefused, oplog.Done, 70},
		{state.OpStatusResolvedNotDone, oplog.Dismissed, 70},
		{state.OpStatusResolvedNotDone, oplog.JudgedNotDone, 0},
		{state.OpStatusNotSent, oplog.JudgedDone, 70},
		{"", oplog.JudgedNotDone, 0},
		{"", oplog.JudgedDone, 70},
		{state.OpStatusUnknown, oplog.Done, 70},
		{state.OpStatusDone, oplog.Done, 70},
		{state.OpStatusDone, oplog.Refused, 70},
		{state.OpStatusNotSent, oplog.Refused, 0},
		{"", oplog.Refused, 0},
	} {
		var mine []state.Record
		if tt.mine != "" {
			mine = []state.Record{{At: at.Add(time.Minute), Key: "k", Action: "fund", Amount: 70, Outcome: tt.mine}}
		}
		log := logged{{Op: oplog.Op{Key: "k", Kind: "fund", Amount: 70, Begun: at}, State: tt.log}}
		err := past{own{records: mine}, log, newClocks(nil, nil)}.Hold(at, func(records []state.Record) error {
			var sum api.USD
			for _, m := range state.MovedBy(records, nil) {
				sum += m.Amount
			}
			if sum != tt.want {
				t.Errorf("own %q, log %s: %d count, want %d", tt.mine, tt.log, sum, tt.want)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// TestRulesReadWhatAnotherLeaderDid, the newest first and no more than they ask for.
func TestRulesReadWhatAnotherLeaderDid(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	mine := []state.Record{{At: at.Add(2 * time.Minute), Key: "c"}, {At: at, Key: "a"}}
	log := logged{{Op: oplog.Op{Key: "b", Kind: "fund", Rule: "topup", Begun: at.Add(time.Minute)}, State: oplog.Done}}
	for limit, want := range map[int]string{9: "cba", 2: "cb"} {
		records, err := past{own{records: mine}, log, newClocks(nil, nil)}.Load(limit)
		got := ""
		for _, r := range records {
			got += string(r.Key)
		}
		if err != nil || got != want {
			t.Errorf("of %d: %s, %v, want %s", limit, got, err, want)
		}
	}
}

// TestTheOwnRecordStaysWhereNothingWasDone says more than the log does: why.
func TestTheOwnRecordStaysWhereNothingWasDone(t *testing.T) {
	mine := []state.Record{{Key: "a", Outcome: state.OpStatusNotSent, Err: "the lease was over"}}
	for _, s := range []oplog.State{oplog.Refused, oplog.JudgedNotDone} {
		records, err := past{own{records: mine}, logged{{Op: oplog.Op{Key: "a"}, State: s}}, newClocks(nil, nil)}.Load(9)
		if err != nil || len(records) != 1 || records[0].Err != mine[0].Err {
			t.Errorf("%s: %+v, %v", s, records, err)
		}
	}
}

// TestTheFateOfWhatAnotherLeaderDidIsKnown: a request for an approval that it carried out
// does not wait again.
func TestTheFateOfWhatAnotherLeaderDidIsKnown(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		mine state.OpStatus
		log  oplog.State
		want state.OpStatus
	}{
		{"", oplog.Done, state.OpStatusDone},
		{state.OpStatusNotSent, oplog.Done, state.OpStatusDone},
		{state.OpStatusDone, oplog.Done, state.OpStatusDone},
		{state.OpStatusUnknown, oplog.Refused, state.OpStatusUnknown},
		{state.OpStatusNotSent, oplog.JudgedNotDone, state.OpStatusNotSent},
		{"", oplog.Refused, state.OpStatusRefused},
		{"", oplog.Dismissed, state.OpStatusDismissed},
		{"", oplog.JudgedDone, state.OpStatusResolvedDone},
		{"", oplog.JudgedNotDone, state.OpStatusResolvedNotDone},
	} {
		log := logged{{Op: oplog.Op{Key: "k", Begun: at}, State: tt.log}, {Op: oplog.Op{Key: "another", Begun: at}, State: oplog.Done}}
		mine := own{}
		if tt.mine != "" {
			mine.fates = map[api.IdempotencyKey]state.StatusAt{"k": {Status: tt.mine, At: at}}
		}
		fates, err := past{mine, log, newClocks(nil, nil)}.Fates([]api.IdempotencyKey{"k"}, at)
		if err != nil || len(fates) != 1 || fates["k"].Status != tt.want {
			t.Errorf("own %q, log %s: %v, %v", tt.mine, tt.log, fates, err)
		}
	}
}

// TestADayOfACapIsOfTheHubThatCounts: another leader's clock was ten minutes behind or ahead.
func TestADayOfACapIsOfTheHubThatCounts(t *testing.T) {
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	dayAgo := now.Add(-24 * time.Hour)
	for _, ahead := range []time.Duration{-10 * time.Minute, 0, 10 * time.Minute} {
		clocks := newClocks(nil, nil)
		clocks.ahead[3] = ahead // This hub's is, of that one's.
		var log logged
		for key, at := range map[api.IdempotencyKey]time.Time{"before": dayAgo.Add(-time.Minute), "within": dayAgo.Add(time.Minute)} {
			log = append(log, oplog.Record{Op: oplog.Op{Key: key, Kind: "fund", Amount: 70, Begun: at.Add(-ahead), Lease: 3}, State: oplog.Done})
		}
		err := past{own{}, log, clocks}.Hold(dayAgo, func(records []state.Record) error {
			if len(records) != 1 || records[0].Key != "within" || !records[0].At.Equal(dayAgo.Add(time.Minute)) {
				t.Errorf("ahead by %v: %+v", ahead, records)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
