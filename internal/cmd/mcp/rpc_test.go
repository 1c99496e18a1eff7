package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"
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

// TestAMessageHasABound in length, and one beyond it is answered and ends nothing.
func TestAMessageHasABound(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	c := newConn(&out, func(context.Context, string, json.RawMessage) (any, *rpcError) { return struct{}{}, nil })
	in := strings.Repeat("x", 3*maxLine+1) + "\n" + `{"jsonrpc":"2.0","id":2,"method":"ping"}` + "\n" + strings.Repeat("x", maxLine+1)
	if err := c.serve(t.Context(), strings.NewReader(in)); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); strings.Count(got, `"id":null,"error":{"code":-32600,"message":"a message is longer`) != 2 || !strings.Contains(got, `"id":2,"result":{}`) {
		t.Errorf("it answers %s", got)
	}
}

// TestAnAnswerIsNotAnswered: nothing was asked.
func TestAnAnswerIsNotAnswered(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	c := newConn(&out, nil)
	in := `{"jsonrpc":"2.0","id":1,"result":{}}` + "\n" + `{"jsonrpc":"2.0","id":2,"error":{"code":1,"message":"x"}}` + "\n"
	if err := c.serve(t.Context(), strings.NewReader(in)); err != nil || out.Len() > 0 {
		t.Errorf("it answers %s, %v", out.String(), err)
	}
}

// TestACallThatHangsDoesNotOutliveItsClient by more than 5 s; one that does not mind being cancelled, as a write
// that was begun, gets to its end.
func TestACallThatHangsDoesNotOutliveItsClient(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		c := newConn(&out, func(ctx context.Context, method string, _ json.RawMessage) (any, *rpcError) {
			if method == "write" {
				<-time.After(20 * time.Second)
			} else {
				<-ctx.Done()
			}
			return struct{}{}, nil
		})
		began := time.Now()                                                                                                                                   //nolint:forbidigo // virtual time
		if err := c.serve(t.Context(), strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"read"}`+"\n")); err != nil || time.Since(began) > 5*time.Second { //nolint:forbidigo // virtual time
			t.Errorf("after %v: %v", time.Since(began), err) //nolint:forbidigo // virtual time
		}
		if err := c.serve(t.Context(), strings.NewReader(`{"jsonrpc":"2.0","id":2,"method":"write"}`+"\n")); err != nil || !strings.Contains(out.String(), `"id":2,"result":{}`) {
			t.Errorf("it answers %s, %v", out.String(), err)
		}
	})
}
