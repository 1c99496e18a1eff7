package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/config/redact"
	"github.com/cardtop/cardtop/state/label"
	"github.com/cardtop/cardtop/state/settings"
)

// Parse reads the text of a configuration file. The error is a ProblemErrors
// with everything that is wrong, under the given file name. No problem quotes
// a key.
func Parse(file string, data []byte) (Settings, error) {
	settings, problems := parse(file, data)
	if len(problems) > 0 {
		return Settings{}, problems
	}
	return settings, nil
}

// parse returns what could be read also when there are problems, so that the
// caller can tell whether the file holds a key.
func parse(file string, data []byte) (Settings, ProblemErrors) {
	t := newTarget(file)
	entries, err := readDocument(bytes.TrimPrefix(data, []byte("\ufeff")))
	if err != nil {
		var syntax *syntaxError
		if errors.As(err, &syntax) {
			t.report(syntax.at, "%s", syntax.text)
		}
		return t.Settings, t.problems
	}
	for _, e := range entries {
		t.take(e)
	}
	t.finish()
	return t.Settings, t.problems
}

// target is the settings while a file is read into them.
type target struct {
	Settings
	file     string
	names    []string
	settings map[string]Setting
	redactor *redact.Redactor
	problems ProblemErrors

	profiles map[string]*Profile
	rules    []writtenRule
	places   map[string]position // Where each name was first seen.
	unknown  []string            // Unknown tables, whose keys are not reported again.

	// The entry being set.
	profile  *Profile
	command  *userCommand
	template *label.CardTemplate
	rule     *writtenRule
	star     string
	at       position
}

func newTarget(file string) *target {
	t := &target{
		Settings: Defaults(),
		file:     file,
		settings: map[string]Setting{},
		redactor: redact.New(),
		profiles: map[string]*Profile{},
		places:   map[string]position{},
	}
	for _, s := range Reference() {
		t.settings[s.Name] = s
		t.names = append(t.names, s.Name)
	}
	return t
}

// report adds a problem. The text may quote the file, so it is redacted.
func (t *target) report(at position, format string, args ...any) {
	text := t.redactor.Text(fmt.Sprintf(format, args...))
	t.problems = append(t.problems, &ProblemError{File: t.file, Line: at.line, Column: at.column, Text: text})
}

// take sets the setting of an entry, or reports a problem.
func (t *target) take(e entry) {
	name := e.name()
	if slices.ContainsFunc(t.unknown, func(table string) bool { return strings.HasPrefix(name, table+".") || name == table }) {
		return
	}
	if e.path[0] == "rules" {
		t.takeRule(e)
		return
	}
	if _, seen := t.places[name]; !seen {
		t.places[name] = e.at
	}
	pattern, star := t.generalise(e.path)
	if !t.enter(e) {
		return
	}
	setting, known := t.settings[pattern]
	switch {
	case known && e.value.kind == kindTable && pattern != "keys.*":
		t.report(e.at, "%s is a value, not a table", name)
		t.unknown = append(t.unknown, name)
	case known && e.value.kind != kindTable:
		t.star, t.at = star, e.at
		t.set(setting, name, e)
	case t.isTable(pattern) && e.value.kind == kindTable:
	case t.isTable(pattern):
		t.report(e.at, "%s is a table: write [%s]", name, heading(e.path))
		t.unknown = append(t.unknown, name)
	default:
		t.reportUnknown(e, pattern, star)
	}
}

func (t *target) set(setting Setting, name string, e entry) {
	err := setting.set(t, e.value)
	if err == nil {
		return
	}
	at := e.value.at
	var item *itemError
	if errors.As(err, &item) {
		at = item.at
	}
	t.report(at, "%s %s", name, err)
}

// generalise replaces the user's own names in a path by a star. A star that
// ends a setting's name stands for all that follows, dots included.
func (t *target) generalise(path []string) (pattern, star string) {
	for _, name := range t.names {
		table, after, starred := strings.Cut(name, ".*")
		depth := strings.Count(table, ".") + 1
		switch {
		case !starred || len(path) <= depth || strings.Join(path[:depth], ".") != table:
		case after == "":
			return name, strings.Join(path[depth:], ".")
		default:
			return strings.Join(slices.Concat([]string{table, "*"}, path[depth+1:]), "."), path[depth]
		}
	}
	return strings.Join(path, "."), ""
}

// enter makes the profile, the command or the template that an entry belongs to, if any. It
// returns false when the name cannot be one.
func (t *target) enter(e entry) bool {
	t.profile, t.command, t.template = nil, nil, nil
	what, has := map[string]string{"profiles": "profile", "commands": "command", "templates": "template"}[e.path[0]]
	if len(e.path) < 2 || !has {
		return true
	}
	name := e.path[1]
	table := e.path[0] + "." + name
	if err := named().check(name); err != nil {
		t.report(e.at, "the name of a %s %s", what, err)
		t.unknown = append(t.unknown, table)
		return false
	}
	if _, seen := t.places[table]; !seen {
		t.places[table] = e.at
	}
	switch what {
	case "command":
		t.enterCommand(name)
		return true
	case "template":
		t.enterTemplate(name)
		return true
	}
	if t.profiles[name] == nil {
		t.profiles[name] = &Profile{Name: name}
	}
	t.profile = t.profiles[name]
	return true
}

// isTable reports whether a name is a table that holds settings.
func (t *target) isTable(pattern string) bool {
	return slices.ContainsFunc(t.names, func(name string) bool { return strings.HasPrefix(name, pattern+".") })
}

func (t *target) reportUnknown(e entry, pattern, star string) {
	names := t.names
	what := "setting"
	if e.value.kind == kindTable || e.value.kind == kindTables {
		what = "table"
		names = t.tables()
		t.unknown = append(t.unknown, e.name())
	}
	suggestion := strings.Replace(nearestSetting(pattern, names), "*", cmp.Or(star, "NAME"), 1)
	t.report(e.at, "unknown %s %q%s", what, e.name(), meant(suggestion))
}

func (t *target) tables() []string {
	var tables []string
	for _, name := range t.names {
		if table, _, nested := strings.Cut(name, "."); nested && !slices.Contains(tables, table) {
			tables = append(tables, table)
		}
	}
	return tables
}

// finish checks what one entry alone cannot show, and orders the problems.
func (t *target) finish() {
	t.Profiles = make(map[string]Profile, len(t.profiles))
	for name, p := range t.profiles {
		t.Profiles[name] = *p
		t.checkProfile(*p)
	}
	for _, c := range t.Commands {
		t.checkCommand(c)
	}
	t.finishRules()
	if name := t.DefaultProfile; name != "" && t.profiles[name] == nil {
		t.report(t.places["profile"], "profile %q is not in the file: add [profiles.%s]", name, name)
	}
	if t.Notify == settings.NotifyCommand && t.OnEvent == "" {
		t.report(t.places["notifications.level"], `notifications.level is "command" and notifications.on_event is not set`)
	}
	if t.IdleLock > 0 && t.IdleMask > t.IdleLock {
		at, set := t.places["idle.mask_minutes"]
		if !set {
			at = t.places["idle.lock_minutes"]
		}
		t.report(at, "idle.mask_minutes must not be above idle.lock_minutes (%d and %d)",
			int(t.IdleMask.Minutes()), int(t.IdleLock.Minutes()))
	}
	slices.SortStableFunc(t.problems, func(a, b *ProblemError) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Text, b.Text))
	})
}

// lacking reports what a table with a name of the user's has to hold and does
// not.
func (t *target) lacking(what, table, name string) {
	own := table + "." + name
	for _, s := range t.names {
		setting, inside := strings.CutPrefix(s, table+".*.")
		if !inside || !t.settings[s].needed {
			continue
		}
		if _, tried := t.places[own+"."+setting]; !tried {
			t.report(t.places[own], "%s %q has no %s", what, name, setting)
		}
	}
}

func (t *target) checkProfile(p Profile) {
	table := "profiles." + p.Name
	t.lacking("profile", "profiles", p.Name)
	if !p.APIKey.IsZero() && p.APIKeyCommand != "" {
		t.report(t.places[table+".api_key"], "profile %q has api_key and api_key_command: keep one", p.Name)
	}
	origin, err := ParseOrigin(p.BaseURL)
	if err == nil && origin.Loopback() && p.APIKey.Mode() == api.ModeLive {
		t.report(t.places[table+".api_key"], "profile %q sends a live key to this machine", p.Name)
	}
}
