//go:build unix && long

package shell

// shells are those that lines are tried in.
func shells() []string { return []string{"sh", "bash"} }
