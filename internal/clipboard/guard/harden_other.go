//go:build !unix

package guard

import "os"

// Harden does nothing: there is neither a core file nor a /proc to close.
func Harden() error { return nil }

// quietSignals are those of a console; none of them may end the guard.
func quietSignals() []os.Signal { return []os.Signal{os.Interrupt} }

// device is not known here.
func device(*os.File) string { return "" }
