package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/internal/shell"
	"github.com/cardtop/cardtop/state/commands"
	"github.com/cardtop/cardtop/state/settings"
)

// places are the words for what has to be under the cursor, by state.Where.
func places() []string { return []string{"cards", "transactions", "anywhere"} }

// commandFields are the names that the line of a command may hold in braces.
// They are the names in its input as well.
func commandFields(w settings.Where) []string {
	var names []string
	for _, f := range (commands.Vars{Where: w}).List() {
		names = append(names, f.Name)
	}
	return names
}

// userCommand is a user command while it is read.
type userCommand struct {
	*settings.Command
	keys *CommandKeys
}

// userCommands are the settings of user commands.
func userCommands() []Setting {
	return []Setting{
		{"commands.*.run", "", `"xdg-open https://ads.example.com/?account={label}"`, lang.N("shell line; a field in braces is one word of it, whatever it holds"), needed(text(filled(), func(t *target) *string { return &t.command.Line }))},
		{"commands.*.key", "", `["alt+o"]`, lang.N("key or list of keys for it"), lines(maxKeys, setCommandKeys)},
		{"commands.*.help", "", `"open the ad account"`, lang.N("what it does, for the help and the list of commands"), text(filled(), func(t *target) *string { return &t.command.keys.Help })},
		{"commands.*.where", `"cards"`, `"transactions"`, lang.N("what has to be under the cursor: cards, transactions or anywhere"), place()},
		{"commands.*.confirm", "false", "true", lang.N("ask first"), flag(func(t *target) *bool { return &t.command.Confirm })},
		{"commands.*.reads", "false", "true", lang.N("it changes nothing: a read-only profile and a dry run allow it"), flag(func(t *target) *bool { return &t.command.Reads })},
	}
}

func place() takes {
	var word string
	t := text(oneOf(places()...), func(*target) *string { return &word })
	read := t.set
	t.set = func(t *target, v value) error {
		err := read(t, v)
		if err == nil {
			t.command.Where = settings.Where(slices.Index(places(), word))
		}
		return err
	}
	return t
}

func setCommandKeys(t *target, keys []string) {
	k := t.command.keys
	k.Keys, k.Line, k.Column = keys, t.at.line, t.at.column
}

// enterCommand finds or adds the command of a name, in the order of the file.
func (t *target) enterCommand(name string) {
	i := slices.IndexFunc(t.Commands, func(c settings.Command) bool { return c.Name == name })
	if i < 0 {
		i = len(t.Commands)
		t.Commands = append(t.Commands, settings.Command{Name: name, Where: settings.OnCard})
		t.CommandKeys = append(t.CommandKeys, CommandKeys{})
	}
	t.command = &userCommand{&t.Commands[i], &t.CommandKeys[i]}
}

// checkCommand checks a line against the fields of its place.
func (t *target) checkCommand(c settings.Command) {
	t.lacking("command", "commands", c.Name)
	setting := "commands." + c.Name + ".run"
	line, err := shell.Compile(c.Line)
	switch {
	case err != nil:
		t.report(t.places[setting], "%s %s", setting, err)
	case len(line.Fields) > 0 && !shell.FieldsAllowed:
		t.report(t.places[setting], "%s has fields in braces, which no shell of this system takes safely: read them as JSON from standard input", setting)
	}
	known := commandFields(c.Where)
	for _, field := range line.Fields {
		if !slices.Contains(known, field) {
			t.report(t.places[setting], "%s", unknownField(setting, field, places()[c.Where], known))
			return
		}
	}
}

// unknownField returns the problem of a field and lists the known ones.
func unknownField(setting, field, place string, known []string) string {
	return fmt.Sprintf("%s has an unknown field {%s}%s; fields with where = %q: %s; {{%s}} is text", setting, field, meant(nearest(field, known)), place, strings.Join(known, ", "), field)
}
