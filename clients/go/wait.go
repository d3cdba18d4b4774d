package understudy

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/understudy/understudy-go/internal/hooks"
)

const (
	firstInterval = time.Second
	lastInterval  = 5 * time.Second
	// longestOutage is how long failed requests do not end a wait.
	longestOutage = 5 * time.Minute
)

// Wait waits until a job is completed, and returns it. It requests the job after 1 s and then at intervals that
// grow to 5 s, and calls onProgress, which may be nil, with each response, of which only the last has the lists
// of tables. If the job fails, it returns a *JobFailedError. Limit the time with a deadline of ctx. Connection errors and the status 429 and 500 to 599
// do not end the wait until they have lasted for 5 minutes.
func (s *JobsService) Wait(
	ctx context.Context, id string, onProgress func(*SyncJob), opts ...CallOption,
) (*SyncJob, error) {
	var failingSince time.Time
	interval, delay := firstInterval, firstInterval
	for {
		if err := hooks.Sleep(ctx, delay); err != nil {
			return nil, waitEnded(id, err)
		}
		started := hooks.Now()
		job, err := s.read(ctx, id, opts)
		interval = longer(interval)
		delay = interval
		switch {
		case err == nil:
			failingSince = time.Time{}
			if onProgress != nil {
				onProgress(job)
			}
			if job.Status == SyncJobStatusCompleted {
				return job, nil
			}
			if job.Status == SyncJobStatusFailed {
				return nil, jobFailed(job)
			}
		case ctx.Err() != nil:
			return nil, waitEnded(id, ctx.Err())
		case !isPassing(err):
			return nil, err
		case failingSince.IsZero():
			failingSince = started
			delay = delayAfter(err, interval)
		default:
			delay = delayAfter(err, interval)
		}
		if !failingSince.IsZero() && hooks.Now().Sub(failingSince) >= longestOutage {
			return nil, err
		}
	}
}

// read requests the job with its tables if it has ended, and without them before.
func (s *JobsService) read(ctx context.Context, id string, opts []CallOption) (*SyncJob, error) {
	job, err := s.Get(ctx, id, GetSyncJobParams{Tables: GetSyncJobTablesNone}, opts...)
	if err != nil || (job.Status != SyncJobStatusCompleted && job.Status != SyncJobStatusFailed) {
		return job, err
	}
	return s.Get(ctx, id, GetSyncJobParams{}, opts...)
}

func longer(interval time.Duration) time.Duration {
	if interval = interval * 3 / 2; interval < lastInterval {
		return interval
	}
	return lastInterval
}

// isPassing reports whether an error does not depend on the job.
func isPassing(err error) bool {
	var connection *ConnectionError
	return errors.As(err, &connection) || errors.Is(err, ErrRateLimit) || errors.Is(err, ErrServer)
}

// delayAfter obeys a Retry-After, but notices the end of longestOutage.
func delayAfter(err error, interval time.Duration) time.Duration {
	var refused *APIError
	if !errors.As(err, &refused) || refused.RetryAfter == nil || *refused.RetryAfter < interval {
		return interval
	}
	if *refused.RetryAfter > longestOutage {
		return longestOutage
	}
	return *refused.RetryAfter
}

func waitEnded(id string, err error) error {
	cause := fmt.Errorf("the job %s has not ended: %w", clean(id), err)
	return &ConnectionError{Operation: opGetSyncJob.id, cause: cause, timeout: isDeadline(err)}
}

func jobFailed(job *SyncJob) error {
	failure := &JobFailedError{Job: job}
	if job.Error != nil {
		failure.Code = job.Error.Code
	}
	return failure
}
