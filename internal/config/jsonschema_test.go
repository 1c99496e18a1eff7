package config_test

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"

	"github.com/cardtop/cardtop/internal/config"
)

// schema is a JSON schema as an editor reads it: of the words there are, those
// that the program's own uses.
type schema map[string]any

func readSchema(t *testing.T) schema {
	t.Helper()
	text, err := config.JSONSchema()
	must(t, err)
	var s schema
	must(t, json.Unmarshal(text, &s))
	return s
}

// faults is what a text in TOML has wrong by the schema.
func (s schema) faults(t *testing.T, text string) []string {
	t.Helper()
	var doc map[string]any
	if err := toml.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	data, err := json.Marshal(doc)
	must(t, err)
	var v any
	must(t, json.Unmarshal(data, &v))
	return s.judge("", v)
}

func (s schema) part(word string) (schema, bool) {
	part, ok := s[word].(map[string]any)
	return part, ok
}

func (s schema) judge(at string, v any) (faults []string) {
	wrong := func(format string, args ...any) { faults = append(faults, at+" "+fmt.Sprintf(format, args...)) }
	if kinds, ok := s["anyOf"].([]any); ok && !slices.ContainsFunc(kinds, func(one any) bool {
		part, _ := one.(map[string]any)
		return len(schema(part).judge(at, v)) == 0
	}) {
		wrong("is none of %v", kinds)
	}
	if enum, ok := s["enum"].([]any); ok && !slices.Contains(enum, v) {
		wrong("is none of %v", enum)
	}
	kind, _ := s["type"].(string)
	switch v := v.(type) {
	case map[string]any:
		if kind != "" && kind != "object" {
			wrong("is an object")
		}
		faults = append(faults, s.judgeObject(at, v)...)
	case []any:
		if kind != "" && kind != "array" {
			wrong("is an array")
		}
		if most, ok := s["maxItems"].(float64); ok && len(v) > int(most) {
			wrong("has %d items", len(v))
		}
		for i, item := range v {
			if items, ok := s.part("items"); ok {
				faults = append(faults, items.judge(fmt.Sprintf("%s[%d]", at, i), item)...)
			}
		}
	case string:
		if kind != "" && kind != "string" {
			wrong("is a string")
		}
		pattern, _ := s["pattern"].(string)
		least, _ := s["minLength"].(float64)
		most, bounded := s["maxLength"].(float64)
		if n := float64(utf8.RuneCountInString(v)); n < least || bounded && n > most || !regexp.MustCompile(pattern).MatchString(v) {
			wrong("is %q", v)
		}
	case float64:
		low, bounded := s["minimum"].(float64)
		high, _ := s["maximum"].(float64)
		if kind == "integer" && v != math.Trunc(v) || kind != "" && kind != "integer" && kind != "number" || bounded && (v < low || v > high) {
			wrong("is %v", v)
		}
	case bool:
		if kind != "" && kind != "boolean" {
			wrong("is %v", v)
		}
	}
	return faults
}

func (s schema) judgeObject(at string, v map[string]any) (faults []string) {
	properties, _ := s.part("properties")
	for name, value := range v {
		place := strings.TrimPrefix(at+"."+name, ".")
		if names, ok := s.part("propertyNames"); ok {
			faults = append(faults, names.judge("the name "+place, name)...)
		}
		if own, ok := properties.part(name); ok {
			faults = append(faults, own.judge(place, value)...)
		} else if other, ok := s.part("additionalProperties"); ok {
			faults = append(faults, other.judge(place, value)...)
		} else if s["additionalProperties"] == false {
			faults = append(faults, place+" is unknown")
		}
	}
	required, _ := s["required"].([]any)
	for _, name := range required {
		if name, _ := name.(string); v[name] == nil {
			faults = append(faults, at+" has no "+name)
		}
	}
	return faults
}

// TestTheSchemaAcceptsWhatTheProgramDoes gives it every example, every default
// and a file with all settings.
func TestTheSchemaAcceptsWhatTheProgramDoes(t *testing.T) {
	t.Parallel()
	s := readSchema(t)
	texts := []string{full, "", "# nothing\n[clipboard]\n"}
	for _, r := range config.Reference() {
		if strings.HasPrefix(r.Name, "rules[].") {
			continue // TestRulesAreRead has them: each needs a whole rule.
		}
		for _, value := range []string{r.Example, r.Default} {
			line := strings.ReplaceAll(r.Name, "*", "team") + " = " + value
			for table, needed := range map[string]string{"profiles.": "profiles.team.base_url = 'https://a/v1'\n", "commands.": "commands.team.run = 'true'\n"} {
				if name, _, _ := strings.Cut(needed, " "); strings.HasPrefix(line, table) && !strings.HasPrefix(line, name) {
					line = needed + line
				}
			}
			if value != "" {
				texts = append(texts, line)
			}
		}
	}
	for _, text := range texts {
		if faults := s.faults(t, text); len(faults) > 0 {
			t.Errorf("%s: %v", text, faults)
		}
	}
	if len(texts) < 60 {
		t.Errorf("only %d texts were tried", len(texts))
	}
}

// TestTheSchemaRefusesWhatTheProgramDoes gives it what one setting alone shows
// to be wrong.
func TestTheSchemaRefusesWhatTheProgramDoes(t *testing.T) {
	t.Parallel()
	s := readSchema(t)
	for _, text := range []string{
		"pol = 1", "osc52 = true", "clipboard.numer_seconds = 9", "idle = 3", "[theme]\na = 1", "theme = 'drak'", "theme = 3",
		"reveal.seconds = 0", "reveal.seconds = 121", "reveal.seconds = 1.5", "reveal.seconds = '15'", "clipboard.osc52 = 'yes'",
		"columns.cards = ['label', 'a:b']", "guardrails.max_day = 1.001e30", "guardrails.max_day = '1.001'", "guardrails.max_day = 'many'",
		"guardrails.max_day = -1", "fund.presets = [0.99]", "fund.presets = [1,1,1,1,1,1,1,1,1,1]",
		"keys.freeze = 1", "keys.freeze = ['']", "[profiles.x]\nread_only = true", "[profiles.x]\nbase_url = 'https://a/v1'\nq = 3",
		"[profiles.'../x']\nbase_url = 'https://a/v1'", "[profiles.x]\nbase_url = 'https://a/v2'", "[[profiles]]\nbase_url = 'x'",
		"notifications.on_event = ' '", "[commands.x]\nkey = 'alt+o'", "[commands.x]\nrun = 'a'\nwhere = 'card'", "[commands.'../x']\nrun = 'a'",
	} {
		if len(s.faults(t, text)) == 0 {
			t.Errorf("the schema takes %s", text)
		}
		if _, err := config.Parse("f", []byte(text)); err == nil {
			t.Errorf("the program takes %s", text)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
