package cli_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/state/errtext"
)

// TestAScriptLearnsWhenToTryAgain of the API's limit and of the budget of this machine.
func TestAScriptLearnsWhenToTryAgain(t *testing.T) {
	t.Parallel()
	limited := &api.Error{Status: 429, Message: "slow down", RetryAfter: 11500 * time.Millisecond}
	for want, err := range map[string]error{
		`"exit":5,"retry_after":12`:                        fmt.Errorf("get /cards: %w", limited),
		`again in 65 s","exit":5,"retry_after":65`:         errtext.LimitUsed(65 * time.Second),
		`"message":"list cards: interrupted","exit":130}}`: fmt.Errorf("list cards: %w", context.Canceled),
	} {
		var out bytes.Buffer
		cli.ReportJSON(&out, err)
		if !bytes.Contains(out.Bytes(), []byte(want)) {
			t.Errorf("%v: %s lacks %s", err, &out, want)
		}
	}
	var out bytes.Buffer
	if cli.Report(&out, limited); !bytes.Contains(out.Bytes(), []byte(": try again in 12 s")) {
		t.Errorf("a person reads %s", &out)
	}
}

// TestAKeyCommandThatFailsIsOfTheKey: a script treats it as a key that is missing.
func TestAKeyCommandThatFailsIsOfTheKey(t *testing.T) {
	t.Parallel()
	for want, err := range map[int]error{
		cli.ExitAuth:        fmt.Errorf("load key: %w", &config.KeyCommandError{Profile: "p", Err: errors.New("exit status 1")}),
		cli.ExitInterrupted: fmt.Errorf("load key: %w", &config.KeyCommandError{Profile: "p", Err: context.Canceled}),
	} {
		if code := cli.ExitCode(err); code != want {
			t.Errorf("%v: exit %d, want %d", err, code, want)
		}
	}
}
