package format_test

import (
	"errors"
	"testing"

	"github.com/cardtop/cardtop/internal/storage/format"
)

func TestOnlyALaterVersionIsRefused(t *testing.T) {
	t.Parallel()
	for has, refused := range map[int]bool{0: false, 1: false, 2: false, 3: true, 40: true} {
		if err := format.Check(has, 2); errors.Is(err, format.ErrNewer) != refused {
			t.Errorf("version %d: %v", has, err)
		}
	}
}
