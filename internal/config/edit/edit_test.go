package edit_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"github.com/cardtop/cardtop/internal/config/edit"
	"github.com/cardtop/cardtop/internal/nighttest"
)

const sample = `#:schema ./config.schema.json
# Kept by the team.
theme = "dark"   # for the night

# The live account.
[profiles.live]
  base_url = "https://api.example.com/v1"  # ends in /v1
  api_key_command = 'pass show "cards"'

[profiles.test] # a comment behind a head
base_url = """https://api.test.example.com/v1"""

# Amounts.
[fund]
presets = [
	"25", # on a
	"50",
]

[alerts]
low = { "ads/*" = "50", prod = "100" }
`

func TestSetWritesOneKeyAndNothingElse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, path string
		value      any
		old, new   string // What changes in the sample.
	}{
		{"a value with a comment behind it", "theme", "light", `theme = "dark"   #`, `theme = "light"   #`},
		{"a new key of the root", "mouse", false, "# for the night\n", "# for the night\nmouse = false\n"},
		{"a value in a table", "profiles.live.base_url", "x", `base_url = "https://api.example.com/v1"  #`, `base_url = "x"  #`},
		{"a new key of a table, indented as its last", "profiles.live.read_only", true, "\"cards\"'\n", "\"cards\"'\n  read_only = true\n"},
		{"a text over lines", "profiles.test.base_url", "y", `"""https://api.test.example.com/v1"""`, `"y"`},
		{"a list over lines", "fund.presets", []string{"1", "2"}, "[\n\t\"25\", # on a\n\t\"50\",\n]", `["1", "2"]`},
		{"a value of an inline table", "alerts.low.prod", "7", `prod = "100"`, `prod = "7"`},
		{"a new key of an inline table", "alerts.low.a b", "7", `prod = "100"`, `prod = "100", "a b" = "7"`},
		{"numbers", "alerts.limit_percent", []int{80, 100}, "prod = \"100\" }\n", "prod = \"100\" }\nlimit_percent = [80, 100]\n"},
		{"a new table beside its like", "profiles.own.base_url", "z", "/v1\"\"\"\n", "/v1\"\"\"\n\n[profiles.own]\nbase_url = \"z\"\n"},
		{"a new table at the end", "reveal.seconds", 10, "prod = \"100\" }\n", "prod = \"100\" }\n\n[reveal]\nseconds = 10\n"},
		{"a text that needs escapes", "theme", "a\"b\\c\n\x01é", `"dark"`, `"a\"b\\c\n\u0001é"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if strings.Count(sample, c.old) != 1 {
				t.Fatalf("%q is not in the sample once", c.old)
			}
			want := strings.Replace(sample, c.old, c.new, 1)
			got, err := edit.Set([]byte(sample), strings.Split(c.path, "."), c.value)
			if err != nil || string(got) != want {
				t.Errorf("%v\n%s", err, got)
			}
		})
	}
}

func TestRemoveTakesOneKeyOrTableAndNothingElse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, path, old, new string }{
		{"a key with the comment behind it", "theme", "theme = \"dark\"   # for the night\n", ""},
		{"a key of a table", "profiles.live.base_url", "  base_url = \"https://api.example.com/v1\"  # ends in /v1\n", ""},
		{"a list over lines", "fund.presets", "presets = [\n\t\"25\", # on a\n\t\"50\",\n]\n", ""},
		{"the first of an inline table", "alerts.low.ads/*", `"ads/*" = "50", `, ""},
		{"the last of an inline table", "alerts.low.prod", `, prod = "100"`, ""},
		{"a table with the comment above it", "fund", "# Amounts.\n[fund]\npresets = [\n\t\"25\", # on a\n\t\"50\",\n]\n\n", ""},
		{"the last table", "alerts", "\n[alerts]\nlow = { \"ads/*\" = \"50\", prod = \"100\" }\n", ""},
		{"what is not there", "reveal.seconds", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			want := strings.Replace(sample, c.old, c.new, 1)
			got, err := edit.Remove([]byte(sample), strings.Split(c.path, "."))
			if err != nil || string(got) != want {
				t.Errorf("%v\n%s", err, got)
			}
		})
	}
}

func TestFilesOfEveryShape(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, doc, path, want string
	}{
		{"no file", "", "theme", "theme = \"v\"\n"},
		{"no file, in a table", "", "a.b.c", "[a.b]\nc = \"v\"\n"},
		{"no line end at the end", "x = 1", "theme", "x = 1\ntheme = \"v\"\n"},
		{"only a comment", "# hello\n", "theme", "# hello\ntheme = \"v\"\n"},
		{"a table first", "# head\n[a]\nx = 1\n", "theme", "theme = \"v\"\n\n# head\n[a]\nx = 1\n"},
		{"a line for the editor first", "#:schema s\n[a]\nx = 1\n", "theme", "#:schema s\ntheme = \"v\"\n\n[a]\nx = 1\n"},
		{"lines that end as on Windows", "[a]\r\nx = 1\r\n[b]\r\n", "a.y", "[a]\r\nx = 1\r\ny = \"v\"\r\n[b]\r\n"},
		{"dotted keys", "a.x = 1\nb = 2\n", "a.y", "a.x = 1\na.y = \"v\"\nb = 2\n"},
		{"dotted keys in a table", "[a]\nb.x = 1\n[c]\n", "a.b.y", "[a]\nb.x = 1\nb.y = \"v\"\n[c]\n"},
		{"an empty inline table", "a = {}\n", "a.y", "a = { y = \"v\" }\n"},
		{"a table between others", "[a]\nx = 1\n[a.b]\ny = 1\n", "a.z", "[a]\nx = 1\nz = \"v\"\n[a.b]\ny = 1\n"},
		{"a sub-table only", "[a.b]\nx = 1\n", "a.z", "[a.b]\nx = 1\n\n[a]\nz = \"v\"\n"},
		{"a comment of the next table", "[a]\nx = 1\n\n# of b\n[b]\ny = 1\n", "a.c.d", "[a]\nx = 1\n\n[a.c]\nd = \"v\"\n\n# of b\n[b]\ny = 1\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := edit.Set([]byte(c.doc), strings.Split(c.path, "."), "v")
			if err != nil || string(got) != c.want {
				t.Errorf("%v\n%q\n%q", err, got, c.want)
			}
		})
	}
}

func TestWhatCannotBeEditedIsRefused(t *testing.T) {
	t.Parallel()
	for doc, path := range map[string]string{
		"x = ":             "y",
		"[a]\nx = 1\n":     "a",
		"[[a]]\nx = 1\n":   "a.x",
		"[[a]]\n[a.b]\n":   "a.b.x",
		"a = 1\n":          "a.b",
		"a = [{x = 1}]\n":  "a.x",
		"a = { b = {} }\n": "a",
	} {
		if got, err := edit.Set([]byte(doc), strings.Split(path, "."), "v"); !errors.Is(err, edit.ErrNotEditable) {
			t.Errorf("%q: %v, %q", doc, err, got)
		}
	}
	if _, err := edit.Set(nil, []string{"a"}, 1.5); err == nil {
		t.Error("a binary fraction is written")
	}
	if _, err := edit.Set([]byte("secret = sk_live_x"), []string{"a"}, 1); err == nil || strings.Contains(err.Error(), "sk_live") {
		t.Errorf("the error quotes the file: %v", err)
	}
}

// TestManyChangesInARowLoseNothing makes changes at random and compares with a
// tree that the same was done to; every comment has to survive setting.
func TestManyChangesInARowLoseNothing(t *testing.T) {
	t.Parallel()
	parts := []string{"a", "b", "c", "d e", "profiles", "fund"}
	for seed := range uint64(nighttest.Times(50, 200)) {
		rng := rand.New(rand.NewPCG(seed, 1))
		doc := []byte(sample)
		for range 30 {
			path := make([]string, 1+rng.IntN(3))
			for i := range path {
				path[i] = parts[rng.IntN(len(parts))]
			}
			next, err := edit.Set(doc, path, rng.IntN(100))
			if err != nil {
				continue
			}
			for _, comment := range []string{"#:schema", "# Kept by", "# for the night", "# ends in", "# a comment", "# Amounts."} {
				if strings.Count(string(next), comment) != 1 {
					t.Fatalf("seed %d, %v: %q is lost\n%s", seed, path, comment, next)
				}
			}
			again, err := edit.Set(next, path, rng.IntN(100))
			if err != nil {
				t.Fatalf("seed %d, %v: %v", seed, path, err)
			}
			if without, err := edit.Remove(again, path); err != nil || toml.Unmarshal(without, new(map[string]any)) != nil {
				t.Fatalf("seed %d, %v: %v\n%s", seed, path, err, without)
			}
			doc = next
		}
	}
}

func FuzzEdit(f *testing.F) {
	for _, doc := range []string{sample, "", "[a]\r\nb.c = 1\r\n", "a = { b = 1, c.d = [ { x = '}' } ] } # c\n", "[[a]]\nb = 1\n[a.c]\n", "\"a.b\" = 1\n'' = 2\n", "x = \"\"\"a\"\"\"\"\n", "d = 1979-05-27 07:32:00\n"} {
		f.Add(doc, "a", "b", "v")
	}
	f.Fuzz(func(t *testing.T, doc, table, key, value string) {
		path := []string{table, key}
		set, err := edit.Set([]byte(doc), path, value)
		if err != nil {
			return
		}
		var tree map[string]any
		if err := toml.Unmarshal(set, &tree); err != nil {
			t.Fatalf("%v\n%s", err, set)
		}
		if inner, ok := tree[table].(map[string]any); !ok || inner[key] != value {
			t.Fatalf("%v holds %v", path, tree)
		}
		if again, err := edit.Set(set, path, value); err != nil || string(again) != string(set) {
			t.Fatalf("set twice: %v\n%s", err, again)
		}
		without, err := edit.Remove(set, path)
		if err != nil {
			return
		}
		if gone, err := edit.Remove(without, path); err != nil || string(gone) != string(without) {
			t.Fatalf("removed twice: %v\n%q\n%q", err, without, gone)
		}
	})
}
