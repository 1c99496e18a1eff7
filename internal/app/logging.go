package app

import (
	"context"
	"log/slog"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/config/logfile"
)

// openLog opens the log file. With an error the log is discarded: a dashboard
// without a log runs, and the caller shows the error.
func openLog(paths config.Paths, settings config.Settings) (log *slog.Logger, closeLog func(), err error) {
	file, err := logfile.Open(paths.Log)
	if err != nil {
		return slog.New(slog.DiscardHandler), func() {}, err
	}
	return file.Logger(settings.LogLevel), func() { _ = file.Close() }, nil // Every line was written when it was logged.
}

// logCall logs a request in one line: no body, no query, no header.
func logCall(log *slog.Logger, c api.Call) {
	level := slog.LevelInfo
	if c.Err != nil {
		level = slog.LevelWarn
	}
	log.LogAttrs(context.Background(), level, "request",
		slog.String("method", c.Method), slog.String("route", c.Route), slog.Int("status", c.Status),
		slog.Int64("ms", c.Took.Milliseconds()), slog.String("request_id", string(c.RequestID)))
}
