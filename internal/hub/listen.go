package hub

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"time"
)

const (
	headerTimeout = 5 * time.Second
	bodyTimeout   = 15 * time.Second
	idleTimeout   = 3 * time.Minute
	maxHeader     = 16 << 10
	// lastWords bounds how long requests under way may take when the hub ends.
	lastWords = 12 * time.Second
)

// Serve answers on a listener until the context ends: over TLS with a certificate,
// without one in the clear. Then writes under way have their time to end.
func (s *Server) Serve(ctx context.Context, l net.Listener, cert *tls.Certificate) error {
	return Serve(ctx, l, cert, s, s.EndStreams)
}

// Serve is Server.Serve for any handler. ends ends what would not end by itself.
func Serve(ctx context.Context, l net.Listener, cert *tls.Certificate, h http.Handler, ends func()) error {
	server := &http.Server{
		Handler: h, ReadHeaderTimeout: headerTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader,
		// What it would print is about connections of others, at their will.
		ErrorLog:                     log.New(io.Discard, "", 0),
		DisableGeneralOptionsHandler: true,
	}
	if cert != nil {
		l = tls.NewListener(l, &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{*cert}, NextProtos: []string{"http/1.1"}})
	}
	l = documented{l}
	stopped := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() {
		ends()
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWords)
		defer cancel()
		stopped <- server.Shutdown(last)
	})
	err := server.Serve(l)
	if !stop() && errors.Is(err, http.ErrServerClosed) {
		return <-stopped
	}
	return err
}
