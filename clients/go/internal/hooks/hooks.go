// Package hooks contains the sources of time and randomness of the client, which tests replace.
package hooks

import (
	"context"
	"math/rand"
	"time"
)

var (
	// Sleep waits, and returns the error of the context if it ends first.
	Sleep = sleep
	// Random returns a number of the interval [0, 1).
	Random = rand.Float64
	// Now returns the time.
	Now = time.Now
)

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
