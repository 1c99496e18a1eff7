package complete

import (
	"embed"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/internal/cmd/cli"
)

//go:embed scripts
var scripts embed.FS

const completionHelp = `Print the script that completes cardtop's command lines in a shell.

Commands, flags and their values are completed, profiles, fields, terms of filters, operations and plans that
have no end, and cards: by their labels, last four digits and ids, as the dashboard or a command read them
last. Nothing is sent and no key is asked for.
While the screen is recorded, cards are completed by their ids alone.

  bash        cardtop completion bash > ~/.local/share/bash-completion/completions/cardtop
  zsh         cardtop completion zsh > "${fpath[1]}/_cardtop"
  fish        cardtop completion fish > ~/.config/fish/completions/cardtop.fish
  powershell  cardtop completion powershell >> $PROFILE

In bash without the bash-completion package, and to try it: source <(cardtop completion bash).`

// Command prints the scripts.
func Command(p cli.Program) *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	files := map[string]string{"bash": "bash.sh", "zsh": "zsh.sh", "fish": "fish.fish"}
	return &cobra.Command{
		Use: "completion SHELL", Short: "Print the script that completes command lines", Long: completionHelp,
		Example:   "  cardtop completion bash\n  cardtop completion fish > ~/.config/fish/completions/cardtop.fish",
		ValidArgs: shells,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("a shell is missing: bash, zsh, fish or powershell")
			}
			return cli.OneOf("shell", shells)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if args[0] == "powershell" {
				return cmd.Root().GenPowerShellCompletionWithDesc(p.Out)
			}
			text, err := scripts.ReadFile("scripts/" + files[args[0]])
			if err == nil {
				_, err = p.Out.Write(text)
			}
			return err
		},
	}
}
