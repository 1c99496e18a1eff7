package state_test

import (
	"reflect"
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
)

// otherValue sets a value, and all that it holds, to something else.
func otherValue(t *testing.T, v reflect.Value) {
	t.Helper()
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.String:
		v.SetString(v.String() + "x")
	case reflect.Int, reflect.Int64:
		v.SetInt(v.Int() + 7)
	case reflect.Uint8:
		v.SetUint(v.Uint() + 1)
	case reflect.Slice:
		v.Set(reflect.Append(reflect.MakeSlice(v.Type(), 0, 1), reflect.Zero(v.Type().Elem())))
		otherValue(t, v.Index(0))
	case reflect.Struct:
		for i := range v.NumField() {
			otherValue(t, v.Field(i))
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
	default:
		t.Fatalf("a setting is a %s: say how it is changed", v.Kind())
	}
}

func TestReloadChangesEverySetting(t *testing.T) {
	t.Parallel()
	set := reflect.TypeFor[settings.Reloadable]()
	for i := range set.NumField() {
		name := set.Field(i).Name
		s := state.New(settings.Config{Reloadable: settings.Defaults(), Rand: func() float64 { return 0.5 }, NewKey: func() api.IdempotencyKey { return "key" }})
		want := settings.Defaults()
		otherValue(t, reflect.ValueOf(&want).Elem().Field(i))
		if changed := s.Reload(want); changed != kernel.TopicAll {
			t.Errorf("%s: %b has changed", name, changed)
		}
		if got := s.Reloadable(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s is lost: %+v", name, got)
		}
	}
}
