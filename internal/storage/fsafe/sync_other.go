//go:build !unix

package fsafe

// SyncDir does nothing: the system writes names together with the file.
func SyncDir(string) error { return nil }
