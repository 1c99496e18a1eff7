//go:build night

// Package rapidtest draws other cases in each run: this is the night.
package rapidtest
