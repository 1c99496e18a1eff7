package ui

import (
	"github.com/cardtop/cardtop/internal/clipboard"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/vault"
	"github.com/cardtop/cardtop/state/kernel"
)

// alone runs effects that concern this program's memory; the API never answers.
func alone(v *vault.Vault) Effects {
	return engine.NewExecutor(engine.ExecutorConfig{
		Run: func(kernel.Effect) kernel.Event { return nil }, Vault: v, Board: clipboard.NewFake(start), Now: start,
	})
}
