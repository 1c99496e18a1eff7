package clipboard

import (
	"context"
	"io"

	"github.com/cardtop/cardtop/internal/clipboard/guard"
	"github.com/cardtop/cardtop/internal/clipboard/helper"
)

// helperArg follows the guard's own arguments when the guard starts a helper.
const helperArg = "helper"

// RunGuard is the hidden subcommand that Open starts: args are what follows
// the subcommand's name, in and out the standard input and output. It returns
// the exit code. Call it from the main goroutine, before anything else.
func RunGuard(ctx context.Context, args []string, in io.Reader, out io.Writer) int {
	if guard.Harden() != nil {
		return 1
	}
	if len(args) == 1 && args[0] == helperArg {
		return helper.Serve(in, out)
	}
	return guard.Main(ctx, in, out)
}
