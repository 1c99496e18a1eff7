package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/internal/shell"
)

// Command is a command of a person's own.
type Command struct {
	Name    string
	Run     string // A shell line with fields of CommandFields in braces.
	Keys    []string
	Help    string // What it does, in a line.
	Where   Where
	Confirm bool // It is asked for before it runs.
	Reads   bool // It changes nothing: a read-only profile and a dry run allow it.
	Line    int  // Of its keys in the file, from 1; 0 without any.
	Column  int  // From 1, in bytes.
}

// Where is what has to be under the cursor for a command.
type Where string

// The places.
const (
	OnCards        Where = "cards"
	OnTransactions Where = "transactions"
	Anywhere       Where = "anywhere"
)

// CommandFields are the names that the line of a command may hold in braces,
// by what has to be under the cursor. They are the names in its input as well.
func CommandFields(w Where) []string {
	switch w {
	case OnCards:
		return []string{"id", "last4", "label", "status", "balance", "bin", "expiry", "profile"}
	case OnTransactions:
		return []string{"id", "card_id", "last4", "label", "merchant", "amount", "type", "time", "profile"}
	default:
		return []string{"profile"}
	}
}

// owning are the settings of commands of a person's own.
func owning() []Setting {
	return []Setting{
		{"commands.*.run", "", `"xdg-open https://ads.example.com/?account={label}"`, "shell line; a field in braces is one word of it, whatever it holds", needed(text(filled(), func(t *target) *string { return &t.command.Run }))},
		{"commands.*.key", "", `["alt+o"]`, "key or list of keys for it", lines(maxKeys, setCommandKeys)},
		{"commands.*.help", "", `"open the ad account"`, "what it does, for the help and the list of commands", text(filled(), func(t *target) *string { return &t.command.Help })},
		{"commands.*.where", `"cards"`, `"transactions"`, "what has to be under the cursor: cards, transactions or anywhere", text(oneOf(string(OnCards), string(OnTransactions), string(Anywhere)), func(t *target) *string { return (*string)(&t.command.Where) })},
		{"commands.*.confirm", "false", "true", "ask first", flag(func(t *target) *bool { return &t.command.Confirm })},
		{"commands.*.reads", "false", "true", "it changes nothing: a read-only profile and a dry run allow it", flag(func(t *target) *bool { return &t.command.Reads })},
	}
}

func setCommandKeys(t *target, keys []string) {
	t.command.Keys, t.command.Line, t.command.Column = keys, t.at.line, t.at.column
}

// enterCommand makes the command of a name, in the order of the file.
func (t *target) enterCommand(name string) {
	i := slices.IndexFunc(t.Commands, func(c Command) bool { return c.Name == name })
	if i < 0 {
		i = len(t.Commands)
		t.Commands = append(t.Commands, Command{Name: name, Where: OnCards})
	}
	t.command = &t.Commands[i]
}

// checkCommand judges a line by the fields that there are where it runs.
func (t *target) checkCommand(c Command) {
	t.lacking("command", "commands", c.Name)
	setting := "commands." + c.Name + ".run"
	known := CommandFields(c.Where)
	line, err := shell.Compile(c.Run)
	switch {
	case err != nil:
		t.report(t.places[setting], "%s %s", setting, err)
	case len(line.Fields) > 0 && !shell.FieldsAllowed:
		t.report(t.places[setting], "%s has fields in braces, which no shell of this system takes safely: read them as JSON from standard input", setting)
	}
	for _, field := range line.Fields {
		if !slices.Contains(known, field) {
			t.report(t.places[setting], "%s", unknownField(setting, field, c.Where, known))
			return
		}
	}
}

// unknownField says what a field may stand for; braces that others mean are
// doubled.
func unknownField(setting, field string, w Where, known []string) string {
	return fmt.Sprintf("%s has an unknown field {%s}%s; fields with where = %q: %s; {{%s}} is text", setting, field, meant(nearest(field, known)), w, strings.Join(known, ", "), field)
}
