//go:build long && !race

package sync_test

const raced = false
