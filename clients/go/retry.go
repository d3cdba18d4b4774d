package understudy

import (
	"context"
	"errors"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/understudy/understudy-go/internal/hooks"
)

// longestDelay is the longest delay between attempts without a Retry-After.
const longestDelay = 8 * time.Second

// send sends a request until an attempt is final. It returns a response with a status of 200 to 299, or an
// error.
func (c *core) send(ctx context.Context, x *exchange) (*response, error) {
	for number := 1; ; number++ {
		response, err := c.attempt(ctx, x)
		delay, isRepeated := x.delay(number, response, err)
		isRepeated = isRepeated && ctx.Err() == nil
		if c.onAttempt != nil {
			c.onAttempt(ctx, c.describe(x, number, response, isRepeated, delay))
		}
		if !isRepeated {
			return c.finish(x, number, response, err)
		}
		if err := hooks.Sleep(ctx, delay); err != nil {
			return nil, x.connectionError(err, isDeadline(err))
		}
	}
}

func (c *core) describe(x *exchange, number int, response *response, isRepeated bool, delay time.Duration) Attempt {
	attempt := Attempt{Operation: x.op.id, Number: number, Retrying: isRepeated}
	if isRepeated {
		attempt.Delay = delay
	}
	if response != nil {
		attempt.Status, attempt.RequestID = response.status, c.requestID(response)
	}
	return attempt
}

// delay returns how long to wait before the next attempt, and whether there is one.
func (x *exchange) delay(number int, response *response, err error) (time.Duration, bool) {
	if !x.op.repeats || number > x.maxRetries {
		return 0, false
	}
	if err == nil {
		after, isGiven := response.retryAfter()
		switch response.status {
		case 408, 429, 500, 502, 503, 504:
		case 409:
			if !isGiven {
				return 0, false
			}
		default:
			return 0, false
		}
		if isGiven {
			return after, after <= x.maxWait
		}
	}
	limit := math.Min(float64(longestDelay), float64(x.retryBase)*math.Exp2(float64(number-1)))
	return time.Duration(hooks.Random() * limit), true
}

// retryAfter reads a Retry-After in seconds or as a date. A value of another form counts as absent.
func (r *response) retryAfter() (time.Duration, bool) {
	const longest = 365 * 24 * time.Hour
	text := r.header.Get("Retry-After")
	seconds, err := strconv.ParseUint(text, 10, 64)
	if err == nil && seconds < uint64(longest/time.Second) {
		return time.Duration(seconds) * time.Second, true
	}
	if err == nil || errors.Is(err, strconv.ErrRange) {
		return longest, true
	}
	date, err := http.ParseTime(text)
	if err != nil {
		return 0, false
	}
	if after := date.Sub(hooks.Now()); after > 0 {
		return after, true
	}
	return 0, true
}

// finish turns the last attempt into the result of the call.
func (c *core) finish(x *exchange, number int, response *response, err error) (*response, error) {
	switch {
	case err != nil:
		return nil, err
	case response.tooLarge || response.status/100 == 2 && response.encoding() != "":
		return nil, c.unexpected(x, response)
	case x.streamed != "" && response.status/100 == 2 && response.records == nil:
		return nil, c.unexpected(x, response)
	case response.status/100 == 2:
		return response, nil
	case response.status == http.StatusNotFound && x.op.method == http.MethodDelete && number > 1:
		return x.deleted(response), nil
	}
	return nil, c.apiError(x, response)
}
