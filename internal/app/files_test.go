package app

import "testing"

func TestTheHistoryHasAUser(t *testing.T) {
	if userName() == "" {
		t.Error("it has none")
	}
}
