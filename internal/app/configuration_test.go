package app

import (
	"strings"
	"testing"

	"github.com/cardtop/cardtop/internal/config"
)

// TestEveryDocumentedSettingIsTaken: what the reference shows as an example is
// in force when it is written down.
func TestEveryDocumentedSettingIsTaken(t *testing.T) {
	const profile = ".base_url = \"https://api.example.com/v1\"\n"
	needed := map[string]string{
		"profile": "profiles.team" + profile, "profiles": "profiles.own" + profile, "commands": "commands.own.run = \"true\"\n",
		"notifications": "notifications.on_event = \"cat\"\n",
	}
	for _, s := range config.Reference() {
		if s.Name == "profiles.*.api_key" {
			continue // The example is none that is a key.
		}
		if strings.HasPrefix(s.Name, "rules[].") {
			continue // The package of the settings has them: each needs a whole rule.
		}
		name := strings.Replace(s.Name, "*", "own", 1)
		if s.Name == "keys.*" {
			name = "keys.freeze"
		}
		text := name + " = " + s.Example + "\n"
		table, _, _ := strings.Cut(name, ".")
		if more := needed[table]; !strings.HasPrefix(more, name+" = ") {
			text += more
		}
		settings, err := config.Parse("config.toml", []byte(text))
		_, wrong := keysOf(config.Source{Path: "config.toml"}, settings)
		if err := joinMistakes(err, checkColumns(settings), wrong); err != nil {
			t.Errorf("%s%v", text, err)
		}
	}
}
