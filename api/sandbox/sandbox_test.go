package sandbox

import (
	"context"
	"os"
	"testing"
)

func TestDefaultWorldIsAlive(t *testing.T) {
	c := open(t, Config{})
	for _, path := range []string{"/cards", "/transactions?per_page=3", "/wallet/balance", "/wallet/deposits", "/3ds?status=pending", "/bins", "/wallet/deposit-address", "/webhooks"} {
		r := c.send("GET", path, "").want(200)
		if os.Getenv("SHOW") != "" {
			t.Logf("%s\n%s", path, r.raw)
		}
	}
	_ = context.Background()
}
