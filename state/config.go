package state

import "github.com/cardtop/cardtop/api"

// Config is what a store is made with.
type Config struct {
	// Reloadable are the settings that Retune replaces.
	Reloadable
	// NewKey returns a new idempotency key, one for each operation.
	NewKey func() api.IdempotencyKey
	// Rand returns a number in [0, 1) for the jitter of retries.
	Rand func() float64
	// Only limits polling to these lanes; nil polls all.
	Only []Lane
	// ReadOnly refuses every write. DryRun starts in a dry run.
	ReadOnly, DryRun bool
	// NoReveal refuses to fetch card secrets, read-only or not.
	NoReveal bool
	// Shared reports whether other programs may use the same key: they share what
	// they spend of its request budget.
	Shared bool
	// Views are the saved views of the lists, Columns the default columns of a
	// list.
	Views   Views
	Columns map[ListName][]ShownColumn
	// Profile is the name of the account.
	Profile string
	// FindPlans finds plans that an earlier run left unfinished.
	FindPlans bool
	// Private starts with everything redacted that belongs to the account.
	Private bool
	// FindRecording finds programs that record the screen.
	FindRecording bool
	// FindManagers finds clipboard managers that store what is copied.
	FindManagers bool
}
