package understudy

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Error is an error of this package.
type Error interface {
	error
	isUnderstudy()
}

// Kinds of errors, for errors.Is.
var (
	ErrAuthentication   = errors.New("authentication failed") // status 401
	ErrQuotaExceeded    = errors.New("quota exceeded")        // status 402
	ErrPermissionDenied = errors.New("permission denied")     // status 403
	ErrNotFound         = errors.New("not found")             // status 404
	ErrConflict         = errors.New("conflict")              // status 409
	ErrValidation       = errors.New("invalid request")       // status 400, 413, 415 and 422
	ErrRateLimit        = errors.New("rate limit exceeded")   // status 429
	ErrServer           = errors.New("error of the server")   // status 500 to 599
	ErrTimeout          = errors.New("no response in time")   // a *ConnectionError
)

// APIError is a response that refuses the request, or that is not valid. Find its kind with errors.Is, for
// example errors.Is(err, ErrNotFound).
type APIError struct {
	// Operation is the id of the operation in the API's OpenAPI document.
	Operation string
	Status    int
	// Code is the stable code of the error. It is unexpected_response if the response is not one of the API,
	// for example a proxy's page, and unexpected_redirect for a redirect.
	Code      string
	Message   string
	RequestID string
	// Details has the invalid fields of the request, with their paths.
	Details []FieldProblem
	// RetryAfter is the delay that the server requested, or nil.
	RetryAfter *time.Duration
	// IdempotencyKey is the key of the request. You can repeat the call with it.
	IdempotencyKey string
}

// Error describes the error in one line, with each invalid field.
func (e *APIError) Error() string {
	text := fmt.Sprintf("understudy: %s: %d %s: %s", e.Operation, e.Status, e.Code, e.Message)
	if len(e.Details) == 0 {
		return text
	}
	const shownAtMost = 20
	fields := make([]string, 0, shownAtMost)
	for i, detail := range e.Details {
		if i == shownAtMost {
			fields = append(fields, fmt.Sprintf("%d more", len(e.Details)-i))
			break
		}
		fields = append(fields, detail.Field+": "+detail.Message)
	}
	return fmt.Sprintf("%s (%s)", text, strings.Join(fields, "; "))
}

// Is reports whether target is the kind of this error.
func (e *APIError) Is(target error) bool {
	switch e.Status {
	case 400, 413, 415, 422:
		return target == ErrValidation
	case 401:
		return target == ErrAuthentication
	case 402:
		return target == ErrQuotaExceeded
	case 403:
		return target == ErrPermissionDenied
	case 404:
		return target == ErrNotFound
	case 409:
		return target == ErrConflict
	case 429:
		return target == ErrRateLimit
	}
	return target == ErrServer && e.Status >= 500 && e.Status <= 599
}

// ConnectionError reports that the server was not reached, or that the connection broke. If the caller's
// context ended, errors.Is finds context.Canceled or context.DeadlineExceeded in it.
type ConnectionError struct {
	Operation string
	// IdempotencyKey is the key of the request. You can repeat the call with it.
	IdempotencyKey string

	cause   error
	timeout bool
}

// Error describes the error in one line.
func (e *ConnectionError) Error() string {
	return fmt.Sprintf("understudy: %s: %v", e.Operation, e.cause)
}

// Unwrap returns the error of the transport or of the context.
func (e *ConnectionError) Unwrap() error { return e.cause }

// Timeout reports whether there was no response in time.
func (e *ConnectionError) Timeout() bool { return e.timeout }

// Is reports whether target is ErrTimeout and there was no response in time.
func (e *ConnectionError) Is(target error) bool { return target == ErrTimeout && e.timeout }

// StreamInterruptedError reports that a stream of records ended early, or contained too many records.
type StreamInterruptedError struct {
	// Received is the number of complete records that arrived.
	Received int64
	// Expected is the number of records that the server announced.
	Expected int64
	// Code is the code of the error that the server reported, or empty.
	Code    string
	Message string

	cause error
}

// Error describes the error in one line.
func (e *StreamInterruptedError) Error() string {
	text := fmt.Sprintf("understudy: generate: received %d of %d records", e.Received, e.Expected)
	for _, part := range []string{e.Code, e.Message} {
		if part != "" {
			text += ": " + part
		}
	}
	if e.cause != nil {
		text += ": " + e.cause.Error()
	}
	return text
}

// Unwrap returns the error of the connection, or nil.
func (e *StreamInterruptedError) Unwrap() error { return e.cause }

// JobFailedError reports that a job failed for which Jobs.Wait waited.
type JobFailedError struct {
	Job *SyncJob
	// Code is the code of the job's error.
	Code string
}

// Error describes the error in one line.
func (e *JobFailedError) Error() string {
	text := fmt.Sprintf("understudy: job %s failed: %s", e.Job.ID, e.Code)
	if e.Job.Error != nil && e.Job.Error.Message != "" {
		text += ": " + e.Job.Error.Message
	}
	return text
}

// WebhookVerificationError reports that a request is not an authentic webhook.
type WebhookVerificationError struct{ Reason WebhookFault }

// Error describes the error in one line.
func (e *WebhookVerificationError) Error() string {
	return fmt.Sprintf("understudy: webhook is not authentic: %s", e.Reason)
}

// ConfigurationError reports an invalid option of a client or a call. No request was sent.
type ConfigurationError struct{ Message string }

// Error describes the error in one line.
func (e *ConfigurationError) Error() string { return "understudy: " + e.Message }

func configurationError(format string, args ...any) error {
	return &ConfigurationError{fmt.Sprintf(format, args...)}
}

func (*APIError) isUnderstudy()                 {}
func (*ConnectionError) isUnderstudy()          {}
func (*StreamInterruptedError) isUnderstudy()   {}
func (*JobFailedError) isUnderstudy()           {}
func (*WebhookVerificationError) isUnderstudy() {}
func (*ConfigurationError) isUnderstudy()       {}
