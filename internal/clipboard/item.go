package clipboard

import (
	"errors"
	"fmt"

	"github.com/cardtop/cardtop/internal/clipboard/wire"
)

// MaxBytes bounds a copy.
const MaxBytes = wire.MaxPayload

// check refuses items that cannot be copied. Its errors do not quote them.
func (it Item) check() error {
	switch {
	case len(it.Secret) == 0:
		return errors.New("copy item: nothing to copy")
	case len(it.Secret) > MaxBytes:
		return fmt.Errorf("copy item: longer than %d bytes", MaxBytes)
	case it.TTL <= 0:
		return errors.New("copy item: its time is over")
	case it.TTL > MaxTTL:
		return fmt.Errorf("copy item: longer than %s", MaxTTL)
	}
	return nil
}
