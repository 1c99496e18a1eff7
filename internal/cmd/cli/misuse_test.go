package cli_test

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/internal/cmd/cli"
)

// TestAnEmptyItemOfAListIsRefused, also where others were given.
func TestAnEmptyItemOfAListIsRefused(t *testing.T) {
	t.Parallel()
	for line, ok := range map[string]bool{
		"": true, "--fields id": true, "--fields id --fields last4": true,
		"--fields=": false, "--fields id --fields=": false, "--fields= --fields id": false, "--fields id,": false,
	} {
		var fields []string
		cmd := &cobra.Command{Use: "list", SilenceErrors: true, SilenceUsage: true, RunE: func(*cobra.Command, []string) error { return nil }}
		cmd.Flags().StringSliceVar(&fields, "fields", nil, "fields")
		cli.RefuseEmpty(cmd)
		cmd.SetArgs(strings.Fields(line))
		if err := cmd.Execute(); (err == nil) != ok {
			t.Errorf("%q: %v, %q", line, err, fields)
		}
	}
}
