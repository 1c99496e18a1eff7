package decline

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/txlink"
)

func TestFactsAreTheSameInEveryField(t *testing.T) {
	base := func() Facts {
		return Facts{
			BalanceAfter: new(api.Dollar), BINMaximum: new(api.Dollar), Limit: new(api.Dollar), Categories: []api.Text{"a"},
			Challenges: []Challenge3DS{{Amount: new(api.Dollar)}},
		}
	}
	a, b := base(), base()
	if !a.same(&b) {
		t.Fatal("equal facts are not the same")
	}
	vary := func(in func(*Facts) reflect.Value) {
		for i := range in(&b).NumField() {
			b = base()
			field := in(&b).Field(i)
			change(t, field)
			if a.same(&b) {
				t.Errorf("%s is not compared", in(&b).Type().Field(i).Name)
			}
		}
		b = base()
	}
	vary(func(f *Facts) reflect.Value { return reflect.ValueOf(f).Elem() })
	vary(func(f *Facts) reflect.Value { return reflect.ValueOf(&f.Challenges[0]).Elem() })
	b.Limit = nil
	if a.same(&b) {
		t.Error("a limit that is not known is one")
	}
}

// change sets a field to another value.
func change(t *testing.T, field reflect.Value) {
	t.Helper()
	switch v := field.Addr().Interface().(type) {
	case *time.Time:
		*v = time.Unix(1, 0)
	case **api.USD:
		*v = new(2 * api.Dollar)
	case *txlink.Held:
		v.USD = 2 * api.Dollar
	case *api.Merchant:
		v.MCC = "7311"
	case *[]api.Text:
		*v = []api.Text{"b"}
	case *[]Challenge3DS:
		*v = nil
	default:
		switch field.Kind() {
		case reflect.Bool:
			field.SetBool(true)
		case reflect.String:
			field.SetString("x")
		case reflect.Int64:
			field.SetInt(7)
		default:
			t.Fatalf("a field of type %s", field.Type())
		}
	}
}

// TestWhatWasKnownOfALimitStays when it is changed from here: what the payment takes of the new one can still be said.
func TestWhatWasKnownOfALimitStays(t *testing.T) {
	e, limit := Explained{}, 100*api.Dollar
	then := Facts{Amount: 30 * api.Dollar, Limit: &limit, LimitLater: true, Month: 90 * api.Dollar, MonthRead: true}
	e.Explain(nil, &then)
	if e.Answer.Cause != MonthlyLimit || e.Answer.Needs != 120*api.Dollar {
		t.Fatalf("%+v", e.Answer)
	}
	e.Explain(nil, &Facts{Amount: 30 * api.Dollar})
	if e.Answer.Cause != MonthlyLimit || e.Answer.Needs != 120*api.Dollar {
		t.Errorf("after it was changed: %+v", e.Answer)
	}
	raised := 200 * api.Dollar // By somebody else: it may have been that all along.
	e.Explain(nil, &Facts{Amount: 30 * api.Dollar, Limit: &raised, LimitLater: true, Month: 90 * api.Dollar, MonthRead: true})
	if e.Answer.Cause == MonthlyLimit {
		t.Errorf("with another limit: %+v", e.Answer)
	}
}

// TestALimitThatMovedExplainsNothing: it was read before and after, and was not the same.
func TestALimitThatMovedExplainsNothing(t *testing.T) {
	e, before, after := Explained{}, 100*api.Dollar, 200*api.Dollar
	of := func(limit *api.USD, later bool) *Facts {
		return &Facts{Amount: 30 * api.Dollar, Limit: limit, LimitLater: later, Month: 90 * api.Dollar, MonthRead: true}
	}
	if e.Explain(nil, of(&before, false)); e.Answer.Cause != MonthlyLimit {
		t.Fatalf("%+v", e.Answer)
	}
	for range 2 {
		if e.Explain(nil, of(&after, true)); e.Answer.Cause != Unknown || !strings.Contains(e.Answer.Evidence, "monthly limit") {
			t.Errorf("%+v", e.Answer)
		}
	}
}
