package config

import "os"

// At returns a store whose command may ask on the terminal that open returns.
func (ks KeyStore) At(open func() *os.File) KeyStore {
	ks.terminal = open
	return ks
}
