package cmd

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/config"
)

// badFlag says what is wrong with a flag in words of this program: those of the
// libraries name their own functions.
func badFlag(_ *cobra.Command, err error) error { return app.Usage(inOurWords(err)) }

func inOurWords(err error) error {
	var (
		value   *pflag.InvalidValueError
		lacking *pflag.ValueRequiredError
		unknown *pflag.NotExistError
		syntax  *pflag.InvalidSyntaxError
	)
	switch {
	case errors.As(err, &value):
		return badValue(value.GetFlag(), value.GetValue())
	case errors.As(err, &lacking):
		return fmt.Errorf("--%s lacks its value", lacking.GetSpecifiedName())
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		return fmt.Errorf("unknown flag -%s", shown(unknown.GetSpecifiedName()))
	case errors.As(err, &unknown):
		return fmt.Errorf("unknown flag --%s", shown(unknown.GetSpecifiedName()))
	case errors.As(err, &syntax):
		return fmt.Errorf("%s is no flag", shown(syntax.GetSpecifiedFlag()))
	}
	return err
}

// badValue says what a flag takes instead of what it was given.
func badValue(f *pflag.Flag, given string) error {
	takes := "another value"
	switch v, own := f.Value.(interface{ Takes() string }); {
	case own:
		takes = v.Takes()
	case f.Value.Type() == "bool":
		takes = "true or false"
	case len(given) > 10 && strings.Trim(given, "0123456789") == "":
		return fmt.Errorf("--%s takes a smaller number than %s", f.Name, shown(given))
	case f.Value.Type() == "uint64":
		takes = "a whole number from 0"
	case f.Value.Type() == "int":
		takes = "a whole number"
	}
	return takesNot(f.Name, takes, given, f.Value)
}

// takesNot says what a flag takes, and which of it was perhaps meant.
func takesNot(name, takes, given string, value any) error {
	meant := ""
	if v, ok := value.(interface{ Meant(text string) string }); ok {
		meant = v.Meant(given)
	}
	return fmt.Errorf("--%s takes %s, not %q%s", name, takes, shown(given), meant)
}

// shown is what was typed, as far as it fits in a line.
func shown(text string) string {
	const most = 40
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}

// noArgs refuses arguments: where there are commands, one that is none was
// typed.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if !cmd.HasAvailableSubCommands() {
		return fmt.Errorf("%s takes no %q", cmd.CommandPath(), shown(args[0]))
	}
	var known []string
	for _, sub := range cmd.Commands() {
		known = append(known, sub.Name())
	}
	return fmt.Errorf("unknown command %q%s", shown(args[0]), config.DidYouMean(args[0], known))
}

// oneID takes the id that a command is about.
func oneID(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return fmt.Errorf("which one? %s", strings.TrimPrefix(cmd.UseLine(), cmd.Root().Name()+" "))
	case len(args) > 1:
		return fmt.Errorf("%s takes one id and no %q", cmd.CommandPath(), shown(args[1]))
	}
	return nil
}

// exclusive refuses two of some flags at once.
func exclusive(f *pflag.FlagSet, names ...string) error {
	var set []string
	for _, name := range names {
		if f.Changed(name) {
			set = append(set, "--"+name)
		}
	}
	if len(set) < 2 {
		return nil
	}
	return app.Usage(fmt.Errorf("%s exclude each other: choose one", strings.Join(set, " and ")))
}
