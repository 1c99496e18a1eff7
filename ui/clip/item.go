package clip

import (
	"errors"
	"fmt"
)

// maxSecret bounds a copy. A card number, a code and an address all fit; the
// bound keeps frames and comparisons small.
const maxSecret = 4 << 10

// check refuses items that cannot be copied. Its errors do not quote them.
func (it Item) check() error {
	switch {
	case len(it.Secret) == 0:
		return errors.New("copy item: nothing to copy")
	case len(it.Secret) > maxSecret:
		return fmt.Errorf("copy item: longer than %d bytes", maxSecret)
	case it.TTL <= 0:
		return errors.New("copy item: its time is over")
	case it.TTL > MaxTTL:
		return fmt.Errorf("copy item: longer than %s", MaxTTL)
	}
	return nil
}
