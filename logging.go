package main

import (
	"context"
	"log/slog"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/config"
)

// openLog is replaced once the log file is there.
func openLog(config.Paths, config.Settings) (*slog.Logger, func(), error) {
	return slog.New(slog.DiscardHandler), func() {}, nil
}

// logCall writes one line for a request: no body, no query, no header.
func logCall(log *slog.Logger, c api.Call) {
	log.LogAttrs(context.Background(), slog.LevelInfo, "request",
		slog.String("method", c.Method), slog.String("route", c.Route), slog.Int("status", c.Status),
		slog.Int64("ms", c.Took.Milliseconds()), slog.String("request_id", string(c.RequestID)))
}
