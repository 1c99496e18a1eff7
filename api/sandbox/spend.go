package sandbox

import (
	"context"
	"database/sql"
	"time"

	"github.com/cardtop/cardtop/api/sandbox/sqlite"
	"github.com/cardtop/cardtop/api/sandbox/unit"
	"github.com/cardtop/cardtop/api/sandbox/wire"
)

// campaignDay is what the cards of a campaign did on a UTC day, each transaction on
// the day of its own time.
type campaignDay struct {
	Campaign       string     `json:"campaign"` // the first two parts of the labels; empty for those of one part
	Day            string     `json:"day"`
	Spend          unit.Cents `json:"spend"` // settled less refunded
	Settled        unit.Cents `json:"settled"`
	Refunded       unit.Cents `json:"refunded"`
	Authorizations int64      `json:"authorizations"`
	Declines       int64      `json:"declines"`
}

// listSpend adds up the table of transactions, so that the figures of a client can be
// compared with it. from and to are as in GET /transactions.
func listSpend(ctx context.Context, s *Server, req *request) (any, error) {
	q, err := wire.ParseQuery(req.query)
	if err != nil {
		return nil, err
	}
	from, _ := q.From("from")
	to, hasTo := q.To("to")
	if !hasTo {
		to = unit.Forever
	}
	if q.Err != nil {
		return nil, q.Err
	}
	days, err := sqlite.Collect(ctx, s.db.Reader, scanCampaignDay, `
		WITH parts AS (
			SELECT seq, label, instr(label, '/') AS first, substr(label, instr(label, '/') + 1) AS rest FROM cards
		), campaigns AS (
			SELECT seq, CASE WHEN first = 0 THEN '' WHEN instr(rest, '/') = 0 THEN label
				ELSE substr(label, 1, first + instr(rest, '/') - 1) END AS campaign FROM parts
		)
		SELECT campaign, created_at / ?3 AS day,
			-sum(CASE type WHEN 2 THEN amount ELSE 0 END), sum(CASE type WHEN 3 THEN amount ELSE 0 END),
			sum(type = 1 AND amount >= 0), sum(type = 4)
		FROM transactions t JOIN campaigns c ON c.seq = t.card WHERE created_at BETWEEN ?1 AND ?2
		GROUP BY campaign, day ORDER BY campaign, day`, from, to, unit.Day)
	return wire.List[campaignDay]{Data: days}, err
}

func scanCampaignDay(r *sql.Rows, d *campaignDay) error {
	var day unit.Instant
	err := r.Scan(&d.Campaign, &day, &d.Settled, &d.Refunded, &d.Authorizations, &d.Declines)
	d.Day, d.Spend = (day * unit.Day).Time().Format(time.DateOnly), d.Settled-d.Refunded
	return err
}
