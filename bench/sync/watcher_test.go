//go:build long

package sync_test

import (
	"context"
	"net/http"
	"time"

	"github.com/cardtop/cardtop/api"
)

// watchEvery is how exactly the watcher knows when a challenge was over.
const watchEvery = 10 * time.Second

// challenge is one of the server's, and until when at least it was pending.
type challenge struct{ created, pending time.Time }

// watch returns all challenges, read without faults until the context ends.
func (w *world) watch(ctx context.Context) map[api.ChallengeID]challenge {
	had := make(map[api.ChallengeID]challenge)
	for ctx.Err() == nil {
		var answer struct{ Data []item }
		w.ask(http.MethodGet, "/v1/3ds", nil, &answer)
		for _, row := range answer.Data {
			c := challenge{row.Created, had[api.ChallengeID(row.ID)].pending}
			if row.Status == "pending" {
				c.pending = clock()
			}
			had[api.ChallengeID(row.ID)] = c
		}
		pass(watchEvery)
	}
	return had
}
