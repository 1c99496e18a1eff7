package hub

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/hub/approval"
	"github.com/cardtop/cardtop/state"
)

// Keeper stores what the next run of a hub has to know.
type Keeper interface {
	// Load returns what is stored under a name; nothing where nothing was.
	Load(name string) ([]byte, error)
	// Save returns when it is on disk.
	Save(name string, data []byte) error
}

// The names that things are stored under.
const (
	// ApprovalsFile has the requests that wait for a lead.
	ApprovalsFile = "approvals.json"
	claimsFile    = "claims.json"
)

// storedApproval is a request as it is stored.
type storedApproval struct {
	approval.Request
	Operation storedOperation
}

// storedOperation is an operation as it is stored: a fund or an issue.
type storedOperation struct {
	Issue       bool
	Card        api.CardID
	Amount      api.USD
	Name, Label string
	Body        json.RawMessage
	By          state.Actor
	All         bool
}

// storedOf has no body of what is over: nobody sends it.
func storedOf(row approval.Row[operation]) storedApproval {
	op := row.Op
	if over(row.State) {
		op.Write.Body = nil
	}
	return storedApproval{row.Request, storedOperation{
		Issue: op.Kind == state.OpIssue, Card: op.Card, Amount: op.Amount, Name: op.Name, Label: op.Label, Body: op.Write.Body, By: op.By, All: op.all,
	}}
}

// over reports whether what is requested is not to be sent any more.
func over(s approval.State) bool { return s == approval.Refused || s == approval.Expired }

// restored is the row of what was stored. Its operation is what its body says.
func (a storedApproval) restored() approval.Row[operation] {
	o := a.Operation
	kind := state.OpFund
	if o.Issue {
		kind = state.OpIssue
	}
	op := operation{all: o.All, ForwardWrite: state.ForwardWrite{
		Kind: kind, Card: o.Card, Amount: o.Amount, Name: o.Name, Label: o.Label, Key: a.Key, By: o.By,
	}}
	op.Write = writeTo(http.MethodPost, string(o.Card), kind, o.Body)
	return approval.Row[operation]{Request: a.Request, Op: op}
}

func (s *Server) saveApprovals(rows []approval.Row[operation]) error {
	out := make([]storedApproval, 0, len(rows))
	for _, row := range rows {
		out = append(out, storedOf(row))
	}
	return s.save(ApprovalsFile, out)
}

func (s *Server) saveClaims(rows []Claim) error { return s.save(claimsFile, rows) }

func (s *Server) save(name string, rows any) error {
	if s.cfg.Keep == nil {
		return nil
	}
	data, err := encode(rows)
	if err != nil {
		return err
	}
	return s.cfg.Keep.Save(name, data)
}

func (s *Server) load(name string, rows any) error {
	if s.cfg.Keep == nil {
		return nil
	}
	data, err := s.cfg.Keep.Load(name)
	if err == nil && len(data) > 0 {
		err = json.Unmarshal(data, rows)
	}
	if err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	return nil
}

// acted reports whether what has a fate acted, or may have.
func acted(fate state.OpStatus) bool {
	return fate != "" && fate != state.OpStatusRefused && fate != state.OpStatusNotSent
}

// restore reads what an earlier run stored. A request that was approved and that did not act
// waits again.
func (s *Server) restore() error {
	var claims []Claim
	var stored []storedApproval
	if err := s.load(claimsFile, &claims); err != nil {
		return err
	}
	if err := s.load(ApprovalsFile, &stored); err != nil {
		return err
	}
	if s.cfg.Several != nil {
		claims = append(claims, s.cfg.Several.Claims...)
	}
	s.claims.restore(claims)
	rows := make([]approval.Row[operation], 0, len(stored))
	keys := make([]api.IdempotencyKey, 0, len(stored))
	for _, a := range stored {
		if !over(a.State) && a.Body != sha256.Sum256(a.Operation.Body) {
			return fmt.Errorf("read %s: the body of %s is not the one that was asked with", ApprovalsFile, a.ID)
		}
		rows = append(rows, a.restored())
		keys = append(keys, a.Key)
	}
	if len(keys) > 0 {
		fates, err := s.cfg.Engine.Fates(keys, s.cfg.Now().Add(-2*approval.Life), nil)
		if err != nil {
			return err
		}
		for i := range rows {
			if r := &rows[i].Request; r.State == approval.Approved && !acted(fates[r.Key]) {
				r.State, r.By, r.Ended = approval.Waiting, "", time.Time{}
			}
		}
	}
	s.approvals.Restore(rows)
	ended := s.endRemoved()
	if s.cfg.Several != nil && s.cfg.Several.Asked != nil {
		for _, r := range ended {
			s.cfg.Several.Asked(askedOf(r), false)
		}
		for _, r := range s.approvals.All() {
			if r.State == approval.Waiting {
				s.cfg.Several.Asked(askedOf(r), true)
			}
		}
	}
	return nil
}
