package sandbox

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/cardtop/cardtop/api/sandbox/sim"
	"github.com/cardtop/cardtop/api/sandbox/sqlite"
	"github.com/cardtop/cardtop/api/sandbox/unit"
	"github.com/cardtop/cardtop/api/sandbox/wire"
)

// cardItem is the contract's Card list item.
type cardItem struct {
	cardHead
	Label   string       `json:"label"`
	Created unit.Instant `json:"created_at"`
}

type cardPage struct {
	Data       []cardItem `json:"data"`
	Pagination struct {
		Page  int64 `json:"page"`
		Size  int64 `json:"per_page"`
		Total int64 `json:"total"`
		Pages int64 `json:"total_pages"`
	} `json:"pagination"`
}

// cardFilter is the filter and sort order of a list of cards.
type cardFilter struct {
	status, bin, label string
	sort               string
	ascending          bool
}

func parseCardFilter(q *wire.Query) cardFilter {
	return cardFilter{
		status: q.Choice("status", "", sim.CardActive, sim.CardFrozen, sim.CardTerminated), bin: q.Text("bin_id"),
		label: fold(q.Text("label")), sort: q.Choice("sort", "created_at", "balance", "last_used"),
		ascending: q.Choice("order", "desc", "asc") == "asc",
	}
}

func listCards(ctx context.Context, s *Server, req *request) (any, error) {
	q, err := wire.ParseQuery(req.query)
	if err != nil {
		return nil, err
	}
	p := q.Page(25)
	f := parseCardFilter(q)
	if q.Err != nil {
		return nil, q.Err
	}
	total, err := s.countCards(ctx, f)
	if err != nil {
		return nil, err
	}
	list := cardPage{Data: []cardItem{}}
	list.Pagination.Page, list.Pagination.Size = p.Number, p.Size
	list.Pagination.Total, list.Pagination.Pages = total, (total+p.Size-1)/p.Size
	if p.Offset() >= total {
		return list, nil
	}
	list.Data, err = s.readCards(ctx, f, p, total)
	return list, err
}

// where returns the conditions of a filter and their arguments.
func (f cardFilter) where() (conditions string, args []any) {
	list := []string{"TRUE"}
	if f.status != "" {
		list, args = append(list, "status = ?"), append(args, f.status)
	}
	if f.bin != "" {
		list, args = append(list, "bin_id = ?"), append(args, f.bin)
	}
	if f.label != "" {
		list, args = append(list, "instr(label_key, ?) > 0"), append(args, f.label)
	}
	return strings.Join(list, " AND "), args
}

// index returns the index that has the cards of a filter in their order.
func (f cardFilter) index() string {
	name := ""
	switch {
	case f.status != "":
		name = "_status"
	case f.bin != "":
		name = "_bin"
	}
	switch f.sort {
	case "balance":
		name += "_balance"
	case "last_used":
		name += "_use"
	}
	if name == "" {
		return "NOT INDEXED"
	}
	return "INDEXED BY cards_by" + name
}

func (s *Server) countCards(ctx context.Context, f cardFilter) (count int64, err error) {
	f.sort, f.ascending = "", false
	key := strings.Join([]string{f.status, f.bin, f.label}, "\x00")
	count, version, known := s.counts.Cards(key)
	if known {
		return count, nil
	}
	conditions, args := f.where()
	if count, err = sqlite.Count(ctx, s.db.Reader, "cards "+f.index()+" WHERE "+conditions, args...); err != nil {
		return 0, err
	}
	s.counts.SetCards(key, count, version)
	return count, nil
}

// readCards returns one page. Cards that sort equal are in the order of their ids,
// in the direction of the list. A page beyond the middle is read from the end.
func (s *Server) readCards(ctx context.Context, f cardFilter, p wire.Page, total int64) ([]cardItem, error) {
	conditions, args := f.where()
	column := "seq"
	switch f.sort {
	case "balance":
		column = "balance"
	case "last_used":
		column = "last_used"
	}
	skip, take := p.Offset(), min(p.Size, total-p.Offset())
	near, far := "DESC", "ASC"
	if f.ascending {
		near, far = far, near
	}
	order := near
	if backwards := total - skip - take; skip > backwards {
		skip, order = backwards, far
	}
	statement := fmt.Sprintf(`SELECT seq, bin_id, status, balance, label, created_at FROM (
		SELECT * FROM cards %s WHERE %s ORDER BY %s %s, seq %s LIMIT ? OFFSET ?) ORDER BY %s %s, seq %s`,
		f.index(), conditions, column, order, order, column, near, near)
	return sqlite.Collect(ctx, s.db.Reader, func(r *sql.Rows, item *cardItem) error {
		var k sim.Card
		err := r.Scan(&k.Seq, &k.BIN, &k.Status, &k.Balance, &k.Label, &k.Created)
		*item = cardItem{s.cardHead(&k), k.Label, k.Created}
		return err
	}, statement, append(args, take, skip)...)
}
