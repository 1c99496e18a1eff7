package app

import (
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui"
)

// everySetting is a file with the example of every setting of the reference.
func everySetting(t *testing.T) string {
	t.Helper()
	var file, rule strings.Builder
	for _, s := range config.Reference() {
		if name, ok := strings.CutPrefix(s.Name, "rules[]."); ok {
			switch name {
			case "alert", "fund_by", "withdraw_to", "freeze": // A rule has one of them.
			default:
				rule.WriteString(name + " = " + s.Example + "\n")
			}
			continue
		}
		name := strings.ReplaceAll(s.Name, "*", "own")
		switch s.Name {
		case "profiles.*.api_key": // A profile has one of the two.
			continue
		case "profile":
			s.Example = `"own"`
		case "keys.*":
			name = "keys.freeze"
		case "commands.*.run":
			if runtime.GOOS == "windows" {
				s.Example = `"true"` // No field is taken there.
			}
		}
		file.WriteString(name + " = " + s.Example + "\n")
	}
	return file.String() + "[[rules]]\n" + rule.String()
}

// leaves calls f for each setting of a value, by its path: what is in a list is
// that of its first item.
func leaves(path string, v reflect.Value, f func(path string, v reflect.Value)) {
	switch {
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			leaves(path+"."+v.Type().Field(i).Name, v.Field(i), f)
		}
	case v.Kind() == reflect.Slice && v.Len() > 0 && v.Type().Elem().Kind() == reflect.Struct:
		leaves(path+"[0]", v.Index(0), f)
	default:
		f(path, v)
	}
}

// TestEverySettingOfAChangedFileIsInForce changes a file from nothing to every
// setting, while the program runs. All of them are in the store afterwards.
func TestEverySettingOfAChangedFileIsInForce(t *testing.T) {
	w := watch(t, "")
	store := state.New(settings.Config{Screen: &settings.Screen{}, Reloadable: settings.Defaults(), Rand: func() float64 { return 0.5 }})
	start, err := (&config.Source{Path: w.path}).Load()
	if err != nil {
		t.Fatal(err)
	}
	keys, err := keysOf(config.Source{}, start)
	if err != nil {
		t.Fatal(err)
	}
	app, err := ui.New(ui.Config{Store: store, Settings: ui.Settings{Reloadable: start.For(config.ModeLive), Keys: keys}, Now: func() (now time.Time) { return now }})
	if err != nil {
		t.Fatal(err)
	}
	m := w.change(everySetting(t))
	if m.Err != nil {
		t.Fatal(m.Mistakes)
	}
	app.Update(m)
	got := make(map[string]any)
	leaves("", reflect.ValueOf(store.Reloadable()), func(path string, v reflect.Value) { got[path] = v.Interface() })
	before := make(map[string]any)
	leaves("", reflect.ValueOf(start.For(config.ModeLive)), func(path string, v reflect.Value) { before[path] = v.Interface() })
	for path, v := range got {
		if path == ".Guard.Live" {
			continue // The mode of the account.
		}
		if reflect.DeepEqual(v, before[path]) || reflect.ValueOf(v).IsZero() && before[path] == nil {
			t.Errorf("%s is still %v: the file does not change it", path, v)
		}
	}
	if len(got) < 30 {
		t.Errorf("only %d settings were found", len(got))
	}
}
