package main

import (
	"fmt"
	"os"
	"os/user"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/config"
)

// guardOf joins the settings that bound what may be done.
func guardOf(s config.Settings, mode config.Mode) state.Guard {
	return state.Guard{
		MaxOperation: s.Guardrails.MaxOperation, MaxHour: s.Guardrails.MaxHour, MaxDay: s.Guardrails.MaxDay,
		MaxBulk: s.Guardrails.MaxBulk, ConfirmLabels: s.Guardrails.ConfirmLabels,
		Live: mode == config.ModeLive, TypeTwice: s.Confirm.TypeTwice,
	}
}

// userName is who is logged in, for the history.
func userName() string {
	if u, err := user.Current(); err == nil && u.Username != "" {
		return u.Username
	}
	return fmt.Sprintf("uid %d", os.Getuid())
}
