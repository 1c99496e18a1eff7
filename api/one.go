package api

import "unique"

// one gives the one copy in memory of a word that comes again and again: half
// of what 100,000 rows take would be the same few merchants and types.
func one[S ~string](s S) S { return S(unique.Make(string(s)).Value()) }
