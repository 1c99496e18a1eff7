package app

import "testing"

func TestTheHistoryHasAUser(t *testing.T) {
	if UserName() == "" {
		t.Error("it has none")
	}
}
