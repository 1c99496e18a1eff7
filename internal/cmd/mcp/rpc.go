package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// maxLine bounds a message, in bytes.
const maxLine = 1 << 20

// endWait is how long calls under way may take when the input has ended; then they are cancelled, but for
// a write that was begun.
const endWait = 4 * time.Second

// Codes of JSON-RPC, and of the protocol.
const (
	unsupportedVersion = -32022

	parseError     = -32700
	invalidRequest = -32600
	unknownMethod  = -32601
	invalidParams  = -32602
	internalError  = -32603
)

// request is a message of the client; a notification has no id.
type request struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
	// Result and Failure are of an answer: nothing was asked, so it is for nobody.
	Result  json.RawMessage `json:"result"`
	Failure json.RawMessage `json:"error"`
}

// rpcError is an error of the protocol. What goes wrong in a tool is none: the
// assistant reads it as a result.
type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

func (e *rpcError) Error() string { return e.Message }

// response is what a request is answered with.
type response struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result,omitempty"`
	Error   *rpcError       `json:"error,omitempty"`
}

// conn reads requests, a line each, and writes their answers. Requests are answered
// side by side: one that waits for the API does not hold up the others.
type conn struct {
	handle func(ctx context.Context, method string, params json.RawMessage) (any, *rpcError)

	writing sync.Mutex
	out     io.Writer
	failed  error // Of the first answer that could not be written.

	running sync.WaitGroup
	mu      sync.Mutex
	cancels map[string]context.CancelFunc // By the id of a request under way.
}

func newConn(out io.Writer, handle func(context.Context, string, json.RawMessage) (any, *rpcError)) *conn {
	return &conn{out: out, handle: handle, cancels: make(map[string]context.CancelFunc)}
}

// serve answers until the input ends or the context does. It waits for what is under
// way: a write that was begun gets to its end.
func (c *conn) serve(ctx context.Context, in io.Reader) error {
	lines := make(chan []byte)
	ended := make(chan error, 1)
	defer c.running.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() { ended <- readLines(ctx, in, lines) }()
	for {
		select {
		case line := <-lines:
			c.receive(ctx, line)
		case err := <-ended:
			hangs := time.AfterFunc(endWait, cancel)
			c.running.Wait()
			hangs.Stop()
			return errors.Join(err, c.problem())
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// readLines hands over the lines of an input until it ends. Of one that is too long it hands over nil.
func readLines(ctx context.Context, in io.Reader, lines chan<- []byte) error {
	r := bufio.NewReaderSize(in, maxLine)
	for {
		line, err := r.ReadSlice('\n')
		give := append([]byte{}, line...)
		for errors.Is(err, bufio.ErrBufferFull) {
			give = nil
			_, err = r.ReadSlice('\n')
		}
		if err == nil || len(give) > 0 || give == nil {
			select {
			case lines <- give:
			case <-ctx.Done():
				return nil
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// receive begins to answer a line.
func (c *conn) receive(ctx context.Context, line []byte) {
	if line == nil {
		c.answer(response{ID: json.RawMessage("null"), Error: &rpcError{Code: invalidRequest, Message: fmt.Sprintf("a message is longer than %d bytes", maxLine)}})
		return
	}
	line = bytes.TrimSpace(line)
	var req request
	switch err := json.Unmarshal(line, &req); {
	case len(line) == 0:
		return
	case err != nil && !json.Valid(line):
		c.answer(response{ID: json.RawMessage("null"), Error: &rpcError{Code: parseError, Message: "not JSON"}})
		return
	case err == nil && req.Method == "" && (req.Result != nil || req.Failure != nil):
		return
	case err != nil || req.Version != "2.0" || req.Method == "":
		if len(req.ID) == 0 {
			req.ID = json.RawMessage("null")
		}
		c.answer(response{ID: req.ID, Error: &rpcError{Code: invalidRequest, Message: "not a request of JSON-RPC 2.0"}})
		return
	case len(req.ID) == 0:
		c.notified(req)
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	id := string(req.ID)
	c.mu.Lock()
	c.cancels[id] = cancel
	c.mu.Unlock()
	c.running.Go(func() {
		defer cancel()
		result, failed := c.handled(ctx, req)
		c.mu.Lock()
		_, wanted := c.cancels[id]
		delete(c.cancels, id)
		c.mu.Unlock()
		if wanted {
			c.answer(response{ID: req.ID, Result: result, Error: failed})
		}
	})
}

// handled answers a request. A crash is an answer as well, without the values that caused
// it: what they hold is nobody's to read.
func (c *conn) handled(ctx context.Context, req request) (result any, failed *rpcError) {
	defer func() {
		if v := recover(); v != nil {
			result, failed = nil, &rpcError{Code: internalError, Message: "cardtop crashed in this call; its operations are settled by operations_settle"}
		}
	}()
	return c.handle(ctx, req.Method, req.Params)
}

// notified takes what needs no answer. A request that is cancelled gets none.
func (c *conn) notified(req request) {
	if req.Method != "notifications/cancelled" {
		return
	}
	var p struct {
		ID json.RawMessage `json:"requestId"`
	}
	if json.Unmarshal(req.Params, &p) != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if cancel := c.cancels[string(p.ID)]; cancel != nil {
		cancel()
		delete(c.cancels, string(p.ID))
	}
}

// notify writes what needs no answer.
func (c *conn) notify(method string, params any) {
	c.write(struct {
		Version string `json:"jsonrpc"`
		Method  string `json:"method"`
		Params  any    `json:"params"`
	}{"2.0", method, params})
}

func (c *conn) answer(r response) {
	r.Version = "2.0"
	c.write(r)
}

// write writes a line.
func (c *conn) write(message any) {
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	err := enc.Encode(message)
	c.writing.Lock()
	defer c.writing.Unlock()
	if err == nil && c.failed == nil {
		_, err = c.out.Write(line.Bytes())
	}
	if c.failed == nil && err != nil {
		c.failed = fmt.Errorf("answer: %w", err)
	}
}

func (c *conn) problem() error {
	c.writing.Lock()
	defer c.writing.Unlock()
	return c.failed
}
