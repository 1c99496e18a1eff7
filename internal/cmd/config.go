package cmd

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/cmd/output"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/state/rows"
)

// configCommand reads and changes the configuration file.
func (p program) configCommand() *cobra.Command {
	return cli.Group("config", "Print and change settings", `  cardtop config list
  cardtop config set theme light
  cardtop config path`, p.configList(), p.configGet(), p.configSet(), p.configUnset(), p.configPath(), p.configSchema())
}

// settingFields are what is printed of a setting.
func settingFields() []rows.Field[config.Listed] {
	return []rows.Field[config.Listed]{
		{Name: "name", About: "dotted name", Brief: true, Cell: func(l config.Listed) rows.Cell { return rows.Text(strings.Join(l.Path, ".")) }},
		{Name: "value", About: "value in force", Brief: true, Cell: func(l config.Listed) rows.Cell { return rows.Text(l.Value) }},
		{Name: "default", About: "value without the file", Cell: func(l config.Listed) rows.Cell { return rows.Text(l.Standard) }},
		{Name: "line", About: "line of the file that sets it", Brief: true, Cell: func(l config.Listed) rows.Cell {
			if l.Line == 0 {
				return rows.Cell{}
			}
			return rows.Count(l.Line)
		}},
		{Name: "about", About: "what it does", Brief: true, Cell: func(l config.Listed) rows.Cell { return rows.Text(l.Doc) }},
	}
}

func (p program) configList() *cobra.Command {
	var (
		file config.Flags
		form output.Flags
	)
	cmd := &cobra.Command{
		Use: "list", Short: "Print all settings",
		Long:    "Print all settings with the values in force. Accounts and rules are not among them: they are in the file alone.",
		Example: "  cardtop config list\n  cardtop config list --json", Args: cli.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			f, err := p.SettingsFile(file)
			if err != nil {
				return err
			}
			all, err := f.List()
			if err != nil {
				return app.Usage(err)
			}
			var known []config.Listed
			for _, l := range all {
				if !l.New {
					known = append(known, l)
				}
			}
			return output.List(p.shared(), form, settingFields(), known)
		},
	}
	cli.ConfigFlag(cmd.Flags(), &file)
	form.Add(cmd.Flags())
	return cmd
}

func (p program) configGet() *cobra.Command {
	return p.onSetting(&cobra.Command{
		Use: "get NAME", Short: "Print the value of a setting", Example: "  cardtop config get theme",
	}, 1, func(f app.SettingsFile, args []string) error {
		l, err := f.Get(args[0])
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(p.out, l.Value)
		return err
	})
}

func (p program) configSet() *cobra.Command {
	return p.onSetting(&cobra.Command{
		Use: "set NAME VALUE", Short: "Write a setting to the file",
		Long: `Write a setting to the file; the rest of it stays as it is. The items of a list have commas between them. A dashboard
that runs takes it over at once, or says that it needs a restart. A value that is not valid changes nothing.`,
		Example: "  cardtop config set theme light\n  cardtop config set alerts.wallet_below 500",
	}, 2, func(f app.SettingsFile, args []string) error { return f.Set(args[0], args[1]) })
}

func (p program) configUnset() *cobra.Command {
	return p.onSetting(&cobra.Command{
		Use: "unset NAME", Short: "Take a setting out of the file, so that its default counts", Example: "  cardtop config unset theme",
	}, 1, func(f app.SettingsFile, args []string) error { return f.Reset(args[0]) })
}

// onSetting has a command do something with the setting that its first argument names.
func (p program) onSetting(cmd *cobra.Command, takes int, do func(app.SettingsFile, []string) error) *cobra.Command {
	var file config.Flags
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return errors.New("the name of a setting is missing: cardtop config list prints them")
		case len(args) < takes:
			return fmt.Errorf("a value of %s is missing", cli.Shown(args[0]))
		case len(args) > takes:
			return fmt.Errorf("%s takes no argument %q: put a value of several words in quotes", cmd.CommandPath(), cli.Shown(args[takes]))
		}
		return nil
	}
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		f, err := p.SettingsFile(file)
		if err != nil {
			return err
		}
		if err := do(f, args); err != nil {
			return app.Usage(err)
		}
		return nil
	}
	cli.ConfigFlag(cmd.Flags(), &file)
	return cmd
}

func (p program) configPath() *cobra.Command {
	var file config.Flags
	cmd := &cobra.Command{
		Use: "path", Short: "Print where the configuration file is, or would be", Example: "  $EDITOR \"$(cardtop config path)\"", Args: cli.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			f, err := p.SettingsFile(file)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(p.out, f.Path())
			return err
		},
	}
	cli.ConfigFlag(cmd.Flags(), &file)
	return cmd
}

func (p program) configSchema() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON schema of the configuration file, for editors",
		Long: "Print the JSON schema of the configuration file. Editors with TOML support complete and check a file that\n" +
			"starts with #:schema ./config.schema.json",
		Example: `  cardtop config schema > ~/.config/cardtop/config.schema.json`,
		Args:    cli.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			schema, err := config.JSONSchema()
			if err == nil {
				_, err = p.out.Write(schema)
			}
			return err
		},
	}
}
