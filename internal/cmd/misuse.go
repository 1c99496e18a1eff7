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

// badFlag returns the error of a flag in plain words: the library's name its own
// functions.
func badFlag(_ *cobra.Command, err error) error { return app.Usage(plainError(err)) }

func plainError(err error) error {
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
		return fmt.Errorf("unknown flag -%s", shown(unknown.GetSpecifiedName()))
	case errors.As(err, &unknown):
		return fmt.Errorf("unknown flag --%s", shown(unknown.GetSpecifiedName()))
	case errors.As(err, &syntax):
		return fmt.Errorf("%s is not a flag", shown(syntax.GetSpecifiedFlag()))
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
		return fmt.Errorf("--%s takes a smaller number than %s", f.Name, shown(given))
	case f.Value.Type() == "uint64":
		takes = "a whole number from 0"
	case f.Value.Type() == "int":
		takes = "a whole number"
	}
	return takesNot(f.Name, takes, given, f.Value)
}

// takesNot returns the error of a flag, with the value that was perhaps meant.
func takesNot(name, takes, given string, value any) error {
	meant := ""
	if v, ok := value.(interface{ Meant(text string) string }); ok {
		meant = v.Meant(given)
	}
	return fmt.Errorf("--%s takes %s, not %q%s", name, takes, shown(given), meant)
}

// shown returns what was typed, cut to fit in a line.
func shown(text string) string {
	const most = 40
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}

// noArgs refuses arguments: beside commands, an argument is an unknown one.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if !cmd.HasAvailableSubCommands() {
		return fmt.Errorf("%s takes no argument %q", cmd.CommandPath(), shown(args[0]))
	}
	var known []string
	for _, sub := range cmd.Commands() {
		known = append(known, sub.Name())
	}
	return fmt.Errorf("unknown command %q%s", shown(args[0]), config.DidYouMean(args[0], known))
}

// oneID requires one argument, an id.
func oneID(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return fmt.Errorf("an id is missing: %s", strings.TrimPrefix(cmd.UseLine(), cmd.Root().Name()+" "))
	case len(args) > 1:
		return fmt.Errorf("%s takes one id, not also %q", cmd.CommandPath(), shown(args[1]))
	}
	return nil
}

// exclusive refuses more than one of some flags.
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
