package app

import (
	"fmt"
	"os"
	"os/user"

	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/state"
)

// guardOf joins the settings that bound what may be done.
func guardOf(s config.Settings, mode config.Mode) state.Guard {
	r := s.Guardrails.For(mode)
	g := state.Guard{
		MaxOperation: r.MaxOperation, MaxHour: r.MaxHour, MaxDay: r.MaxDay, MaxBulk: r.MaxBulk, ConfirmLabels: r.ConfirmLabels,
		Live: mode == config.ModeLive, TypeTwice: s.Confirm.TypeTwice,
	}
	for _, l := range r.Labels {
		g.Labels = append(g.Labels, state.LabelCap{Labels: l.Labels, MaxOperation: l.MaxOperation, MaxHour: l.MaxHour, MaxDay: l.MaxDay})
	}
	return g
}

// userName is who is logged in, for the history.
func userName() string {
	if u, err := user.Current(); err == nil && u.Username != "" {
		return u.Username
	}
	return fmt.Sprintf("uid %d", os.Getuid())
}
