package budget_test

import (
	"testing"
	"time"

	"github.com/cardtop/cardtop/api/budget"
)

func TestWhatOthersSpendCountsAgainstTheSameLimits(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	b := budget.New()
	others := []budget.Entry{
		{Start: now.Add(-30 * time.Minute), Lane: "codes", Count: 7_990},
		{Start: now.Add(-20 * time.Second), Lane: "details", Kind: budget.Details, Count: 29},
	}
	b.Elsewhere(now, others, 1)
	b.Elsewhere(now, others, 1) // replaces, does not add
	if got := b.Used(now); got.Hour != 8_019 || got.Elsewhere != 8_019 || got.Minute != 29 {
		t.Errorf("used: %+v", got)
	}
	if ok, wait := b.Take(now, budget.Other, budget.High, "codes"); ok || wait > 31*time.Minute || wait < 25*time.Minute {
		t.Errorf("background is allowed: %v, wait %v", ok, wait)
	}
	if ok, _ := b.Take(now, budget.Details, budget.User, "details"); !ok {
		t.Error("the thirtieth look at details is refused")
	}
	if ok, _ := b.Take(now, budget.Details, budget.User, "details"); ok {
		t.Error("the thirty-first look at details is allowed")
	}
	later := now.Add(40 * time.Minute)
	if ok, _ := b.Take(later, budget.Other, budget.High, "codes"); !ok {
		t.Error("what others spent is not forgotten")
	}
}
