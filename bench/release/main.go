// Command release writes what goes with the program into a release: the bill of
// materials of a built program, and the licences of all that is linked into it. It
// checks that the documentation leads to files that are released.
//
//	go run ./bench/release sbom PROGRAM FILE    CycloneDX 1.6 as JSON
//	go run ./bench/release notices FILE         the licences, as text
//	go run ./bench/release links FOLDER         no output: every link leads to a file
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	var text bytes.Buffer
	var err error
	switch {
	case len(args) == 3 && args[0] == "sbom":
		err = writeBill(ctx, &text, args[1])
	case len(args) == 2 && args[0] == "links":
		return checkLinks(args[1])
	case len(args) == 2 && args[0] == "notices":
		err = writeNotices(ctx, &text)
	default:
		err = errors.New("use: release sbom PROGRAM FILE, release notices FILE, or release links FOLDER")
	}
	if err != nil {
		return err
	}
	return os.WriteFile(args[len(args)-1], text.Bytes(), 0o644) //nolint:gosec // what is released is for everybody
}
