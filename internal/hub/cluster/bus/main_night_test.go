//go:build night

package bus_test

import (
	"testing"

	"github.com/cardtop/cardtop/internal/leaktest"
)

func TestMain(m *testing.M) { leaktest.Run(m) }
