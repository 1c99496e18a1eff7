package sqlite

import "os"

// lockItself locks nothing: the system has no lock that leaves SQLite's reads alone.
func lockItself(string) (*os.File, error) { return nil, nil }
