// Package harden disables what could leak the secrets of the process: core
// files, inspection by other programs of the same user, and the debug switches
// of libraries that write every drawn byte to a file.
package harden

import (
	"errors"
	"fmt"
	"os"
)

// debugSwitches are environment variables that make the terminal libraries
// record what they draw, card numbers and clipboard payloads included.
func debugSwitches() []string {
	return []string{"TEA_TRACE", "TEA_DEBUG", "UV_DEBUG"}
}

// Process hardens this process. Call it first in main, before any secret is
// read and before the terminal program is made. Every measure is tried; the
// error joins the ones that failed, and the program may go on without them.
func Process() error {
	var errs []error
	for _, name := range debugSwitches() {
		if err := os.Unsetenv(name); err != nil {
			errs = append(errs, fmt.Errorf("unset %s: %w", name, err))
		}
	}
	return errors.Join(append(errs, closeToInspection(), withoutCoreFiles())...)
}
