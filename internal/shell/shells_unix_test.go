//go:build unix && !long

package shell

// shells are those that lines are tried in. The long tests try the others too.
func shells() []string { return []string{"sh"} }
