//go:build !unix

package main

import "errors"

func stopSelf() error { return errors.ErrUnsupported }
