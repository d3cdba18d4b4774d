// Package hooks contains the sources of time and randomness of the client, which tests replace.
package hooks

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"time"
)

var (
	// Sleep waits, and returns the error of the context if it ends first.
	Sleep = sleep
	// Random returns a number from 0 to 1.
	Random = random
	// Now returns the time.
	Now = time.Now
)

// random differs between processes, which math/rand of Go 1.19 does not. Otherwise many clients would repeat
// their requests at the same time.
func random() float64 {
	var b [8]byte
	if _, err := rand.Read(b[:]); err != nil {
		return 1
	}
	return float64(binary.BigEndian.Uint64(b[:])>>11) / (1 << 53)
}

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
