package sandbox

import (
	"context"
	"fmt"

	"github.com/cardtop/cardtop/api/sandbox/sim"
	"github.com/cardtop/cardtop/api/sandbox/sqlite"
)

// merchantID gives the row of a merchant, making it when it is new.
func (c *change) merchantID(ctx context.Context, m sim.Merchant) (id int64, err error) {
	_, err = c.tx.ExecContext(ctx, `INSERT INTO merchants (name, name_key, category, mcc, country)
		VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`, m.Name, fold(m.Name), m.Category, m.MCC, m.Country)
	if err != nil {
		return 0, fmt.Errorf("insert merchant: %w", err)
	}
	row := c.tx.QueryRowContext(ctx, `SELECT id FROM merchants WHERE name = ? AND category = ? AND mcc = ? AND country = ?`,
		m.Name, m.Category, m.MCC, m.Country)
	if err := row.Scan(&id); err != nil {
		return 0, fmt.Errorf("read merchant: %w", err)
	}
	return id, nil
}

func merchantAt(ctx context.Context, q sqlite.Querier, id int64) (m sim.Merchant, err error) {
	row := q.QueryRowContext(ctx, `SELECT name, category, mcc, country FROM merchants WHERE id = ?`, id)
	if err := row.Scan(&m.Name, &m.Category, &m.MCC, &m.Country); err != nil {
		return m, fmt.Errorf("read merchant: %w", err)
	}
	return m, nil
}
