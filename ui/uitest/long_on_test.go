//go:build long

package uitest

// long says that what is proved by sheer number is done in full.
const long = true
