// Command cardtop is a terminal dashboard for virtual cards.
package main

import (
	"os"

	"github.com/cardtop/cardtop/internal/cmd"
)

func main() { os.Exit(cmd.Main()) }
