package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
)

// progress tells the client how far a call is, where it asked to be told: after each answer of the API, and while it
// waits for the request budget. The client cannot know a total, nor does the program.
type progress struct {
	notify func(method string, params any)
	token  json.RawMessage
	gone   func() error // why nobody waits for the call any more; nil while somebody does

	mu      sync.Mutex
	steps   int
	answers int
}

// progress returns what tells of a call with a token; of one without it tells nothing.
func (s *server) progress(ctx context.Context, token json.RawMessage) *progress {
	var value any
	_ = json.Unmarshal(token, &value) // What is none stays nil.
	switch value.(type) {
	case string, float64:
	default:
		token = nil
	}
	return &progress{notify: s.notify, token: token, gone: ctx.Err}
}

func (p *progress) answered() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answers++
	p.tell(fmt.Sprintf("%d answers of the API", p.answers))
}

func (p *progress) waits(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tell(line)
}

func (p *progress) tell(message string) {
	if len(p.token) == 0 || p.notify == nil || p.gone() != nil {
		return
	}
	p.steps++
	p.notify("notifications/progress", map[string]any{"progressToken": p.token, "progress": p.steps, "message": message})
}

// end has nothing told any more: the call is answered next.
func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.token = nil
}
