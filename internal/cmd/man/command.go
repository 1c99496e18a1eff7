package man

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
)

// Command prints a page, or writes all of them.
func Command(p cli.Program) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use: "man [COMMAND]", Short: "Print a manual page, or write all",
		Long: "Print the manual page of a command, or write the pages of all commands into a folder.",
		Example: `  cardtop man cards fund | man -l -
  cardtop man --dir ~/.local/share/man/man1`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if dir != "" {
				if len(args) > 0 {
					return app.Usage(errors.New("--dir writes the pages of all commands: leave the command out"))
				}
				n, err := writeAll(dir, cmd.Root())
				if err == nil {
					p.Say(fmt.Sprintf("wrote %d pages to %s", n, dir))
				}
				return err
			}
			of, rest, err := cmd.Root().Find(args)
			if err == nil && len(rest) > 0 {
				err = cli.NoArgs(of, rest)
			}
			if err != nil {
				return app.Usage(err)
			}
			return Write(p.Out, of, app.Version(), app.ReadBuildInfo().Date)
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "`FOLDER` to write the pages of all commands to")
	return cmd
}

// writeAll writes a page for each command and returns how many.
func writeAll(dir string, root *cobra.Command) (n int, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // manual pages are for everybody
		return 0, fmt.Errorf("make the folder: %w", err)
	}
	var each func(cmd *cobra.Command) error
	each = func(cmd *cobra.Command) error {
		var text bytes.Buffer
		if err := Write(&text, cmd, app.Version(), app.ReadBuildInfo().Date); err != nil {
			return err
		}
		path := filepath.Join(dir, Name(cmd)+".1")
		if err := os.WriteFile(path, text.Bytes(), 0o644); err != nil { //nolint:gosec // manual pages are for everybody
			return fmt.Errorf("write a page: %s: %w", path, errors.Unwrap(err))
		}
		n++
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() && !strings.HasPrefix(sub.Name(), "__") {
				if err := each(sub); err != nil {
					return err
				}
			}
		}
		return nil
	}
	err = each(root)
	return n, err
}
