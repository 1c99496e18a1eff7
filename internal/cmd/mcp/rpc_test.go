package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
)

// TestACrashIsAnswered, and the next request as well. Nothing of what caused it is said.
func TestACrashIsAnswered(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	c := newConn(&out, func(_ context.Context, method string, _ json.RawMessage) (any, *rpcError) {
		if method == "crash" {
			panic("4242424242424242")
		}
		return struct{}{}, nil
	})
	in := `{"jsonrpc":"2.0","id":1,"method":"crash"}` + "\n" + `{"jsonrpc":"2.0","id":2,"method":"ping"}` + "\n"
	if err := c.serve(t.Context(), strings.NewReader(in)); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); !strings.Contains(got, `"id":1,"error":{"code":-32603`) || !strings.Contains(got, `"id":2,"result":{}`) || strings.Contains(got, "4242") {
		t.Errorf("it answers %s", got)
	}
}

// TestAMessageHasABound in length.
func TestAMessageHasABound(t *testing.T) {
	t.Parallel()
	c := newConn(&bytes.Buffer{}, nil)
	if err := c.serve(t.Context(), strings.NewReader(strings.Repeat("x", maxLine+1))); err == nil || !strings.Contains(err.Error(), "a message is longer") {
		t.Errorf("it ends with %v", err)
	}
}
