package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/config"
)

// BadFlag returns the error of a flag in plain words: the library's name its own
// functions. A command that is unknown is named before its flags, which may be right.
func BadFlag(cmd *cobra.Command, err error) error {
	if args := cmd.Flags().Args(); cmd.HasAvailableSubCommands() && len(args) > 0 {
		err = NoArgs(cmd, args)
	}
	return app.Usage(plainError(cmd, err))
}

func plainError(cmd *cobra.Command, err error) error {
	var (
		value   *pflag.InvalidValueError
		missing *pflag.ValueRequiredError
		unknown *pflag.NotExistError
		syntax  *pflag.InvalidSyntaxError
	)
	switch {
	case errors.As(err, &value):
		return badValue(value.GetFlag(), value.GetValue())
	case errors.As(err, &missing):
		return fmt.Errorf("--%s needs a value", missing.GetSpecifiedName())
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		return fmt.Errorf("unknown flag -%s%s", Shown(unknown.GetSpecifiedName()), elsewhere(cmd, unknown.GetSpecifiedName()))
	case errors.As(err, &unknown):
		return fmt.Errorf("unknown flag --%s%s", Shown(unknown.GetSpecifiedName()), elsewhere(cmd, unknown.GetSpecifiedName()))
	case errors.As(err, &syntax):
		return fmt.Errorf("%s is not a flag", Shown(syntax.GetSpecifiedFlag()))
	}
	return err
}

// badValue returns the error of a value that a flag does not take.
func badValue(f *pflag.Flag, given string) error {
	takes := "another value"
	switch v, own := f.Value.(interface{ Takes() string }); {
	case own:
		takes = v.Takes()
	case f.Value.Type() == "bool":
		takes = "true or false"
	case len(given) > 10 && strings.Trim(given, "0123456789") == "":
		return fmt.Errorf("--%s takes a smaller number than %s", f.Name, Shown(given))
	case f.Value.Type() == "uint64":
		takes = "a whole number from 0"
	case f.Value.Type() == "int":
		takes = "a whole number"
	}
	return TakesNot(f.Name, takes, given, f.Value)
}

// TakesNot returns the error of a flag, with the value that was perhaps meant.
func TakesNot(name, takes, given string, value any) error {
	meant := ""
	if v, ok := value.(interface{ Meant(text string) string }); ok {
		meant = v.Meant(given)
	}
	return fmt.Errorf("--%s takes %s, not %q%s", name, takes, Shown(given), meant)
}

// Shown returns what was typed, cut to fit in a line.
func Shown(text string) string {
	const most = 40
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}

// NoArgs refuses arguments: beside commands, an argument is an unknown one.
func NoArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if !cmd.HasAvailableSubCommands() {
		return fmt.Errorf("%s takes no argument %q", cmd.CommandPath(), Shown(args[0]))
	}
	if cmd.ArgsLenAtDash() >= 0 {
		return errors.New("commands come before --")
	}
	var known []string
	for _, sub := range cmd.Commands() {
		known = append(known, sub.Name())
		if sub.HasAlias(args[0]) || slices.Contains(sub.SuggestFor, args[0]) {
			return fmt.Errorf("unknown command %q (did you mean %q?)", Shown(args[0]), sub.Name())
		}
	}
	if cards, _, err := cmd.Find([]string{"cards"}); err == nil && cards != cmd { // What is most likely meant.
		for _, below := range cards.Commands() {
			if below.Name() == args[0] || slices.Contains(below.SuggestFor, args[0]) {
				return fmt.Errorf("unknown command %q (did you mean \"cards %s\"?)", Shown(args[0]), below.Name())
			}
		}
	}
	return fmt.Errorf("unknown command %q%s", Shown(args[0]), config.DidYouMean(args[0], known))
}

// elsewhere returns what does here, in a command that prints records, what a flag does in other programs of this
// kind, or that it is one of the dashboard; empty for a flag of none.
func elsewhere(cmd *cobra.Command, flag string) string {
	switch {
	case flag == "dry-run":
		return ": this command sends no writes"
	case cmd.Root().Flags().Lookup(flag) != nil:
		return ": only cardtop without a command has it"
	}
	if cmd.Flags().Lookup("jsonl") == nil {
		return ""
	}
	switch flag {
	case "o", "output", "format":
		return ": choose --json, --jsonl, --csv, --md or --template"
	case "q", "jq", "query":
		return ": pipe --json to jq, or choose with --fields"
	case "n", "limit", "L", "per-page":
		if cmd.Flags().Lookup("limit") == nil && cmd.Flags().Lookup("yes") == nil {
			return ": it prints all; head takes the first lines"
		}
	case "w", "watch", "f", "follow":
		return ": cardtop watch prints what happens"
	}
	return ""
}

// names are the words that other programs have for a command of ours.
func names(command string) []string {
	switch command {
	case "list":
		return []string{"ls", "all"}
	case "show":
		return []string{"get", "view", "describe", "inspect", "info", "retrieve"}
	case "terminate":
		return []string{"delete", "rm", "remove", "del", "close", "cancel"}
	case "create":
		return []string{"new", "add", "issue", "make"}
	case "delete":
		return []string{"rm", "remove", "del"}
	case "remove":
		return []string{"rm", "delete", "del"}
	case "add":
		return []string{"create", "new"}
	case "fund":
		return []string{"topup", "load", "deposit"}
	case "freeze":
		return []string{"lock", "block", "pause"}
	case "unfreeze":
		return []string{"unlock", "unblock", "resume"}
	case "wallet":
		return []string{"balance"}
	case "otp":
		return []string{"code", "codes", "3ds"}
	case "transactions":
		return []string{"txns", "tx", "charges"}
	case "events":
		return []string{"listen"}
	case "watch":
		return []string{"logs", "tail"}
	case "doctor":
		return []string{"check", "status", "health"}
	case "settle":
		return []string{"resolve"}
	}
	return nil
}

// KnowOtherNames has a command and those below it found by the words of other programs: gh, kubectl, stripe.
func KnowOtherNames(cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		KnowOtherNames(sub)
	}
	cmd.SuggestFor = append(cmd.SuggestFor, names(cmd.Name())...)
}

// mayBeEmpty annotates a flag that an empty value means something to.
const mayBeEmpty = "cardtop_may_be_empty"

// MayBeEmpty declares that an empty value of a flag means something: it clears what there is.
func MayBeEmpty(f *pflag.FlagSet, name string) { _ = f.SetAnnotation(name, mayBeEmpty, nil) }

// RefuseEmpty has a command and those below it refuse a flag or an argument that is given and
// empty. It is a variable that is not set in a script, and never meant as none.
func RefuseEmpty(cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		RefuseEmpty(sub)
	}
	for _, flags := range []*pflag.FlagSet{cmd.Flags(), cmd.PersistentFlags()} {
		flags.VisitAll(func(f *pflag.Flag) {
			if items, ok := f.Value.(pflag.SliceValue); ok {
				f.Value = &list{Value: f.Value, SliceValue: items}
			}
		})
	}
	if !cmd.Runnable() {
		return
	}
	others := cmd.Args
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if err := noneEmpty(cmd, args); err != nil {
			return app.Usage(err)
		}
		if others == nil {
			return nil
		}
		return others(cmd, args)
	}
}

func noneEmpty(cmd *cobra.Command, args []string) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if _, allowed := f.Annotations[mayBeEmpty]; !allowed && isEmpty(f.Value) && err == nil {
			err = fmt.Errorf("--%s is empty: give it a value, or leave it out", f.Name)
		}
	})
	if err == nil && slices.ContainsFunc(args, isBlank) {
		err = fmt.Errorf("an argument of %s is empty: give it a value, or leave it out", cmd.CommandPath())
	}
	return err
}

// list is the value of a flag that may be given more than once. It remembers that one of them
// was empty, which adds no item.
type list struct {
	pflag.Value
	pflag.SliceValue
	empty bool
}

// Set adds the items of a text.
func (l *list) Set(text string) error {
	l.empty = l.empty || isBlank(text)
	return l.Value.Set(text)
}

func isBlank(s string) bool { return strings.TrimSpace(s) == "" }

// isEmpty reports whether a flag of text has none, or a list has an empty item or none.
func isEmpty(v pflag.Value) bool {
	if l, ok := v.(*list); ok {
		items := l.GetSlice()
		return l.empty || len(items) == 0 || slices.ContainsFunc(items, isBlank)
	}
	return v.Type() == "string" && isBlank(v.String())
}

// OneID requires one argument, an id.
func OneID(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return fmt.Errorf("an id is missing: %s", strings.TrimPrefix(cmd.UseLine(), cmd.Root().Name()+" "))
	case len(args) > 1:
		return fmt.Errorf("%s takes one id, not also %q", cmd.CommandPath(), Shown(args[1]))
	}
	return nil
}

// OneOf takes one argument at most, which is one of some words.
func OneOf(what string, known []string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) > 1:
			return fmt.Errorf("%s takes one %s, not also %q", cmd.CommandPath(), what, Shown(args[1]))
		case len(args) == 1 && !slices.Contains(known, args[0]):
			return fmt.Errorf("no %s %q%s: %s", what, Shown(args[0]), config.DidYouMean(args[0], known), strings.Join(known, ", "))
		}
		return nil
	}
}
