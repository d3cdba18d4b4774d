package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/understudy/understudy-go"
)

// describeError returns the fields of an error as all clients name them.
func describeError(err error, client *understudy.Client) map[string]any {
	described := map[string]any{"class": "PlayerError", "message": err.Error()}
	described["text"] = dump(err)
	if client != nil {
		described["text"] = dump(err) + dump(client)
	}
	var refused *understudy.APIError
	var connection *understudy.ConnectionError
	var interrupted *understudy.StreamInterruptedError
	var failed *understudy.JobFailedError
	var forged *understudy.WebhookVerificationError
	var configuration *understudy.ConfigurationError
	switch {
	case errors.As(err, &interrupted):
		described["class"] = "StreamInterruptedError"
		described["received"], described["expected"] = interrupted.Received, interrupted.Expected
		described["code"] = orNil(interrupted.Code)
	case errors.As(err, &refused):
		described["class"] = classOf(refused)
		described["status"], described["code"] = refused.Status, refused.Code
		described["request_id"] = orNil(refused.RequestID)
		described["details"] = refused.Details
		described["idempotency_key"] = orNil(refused.IdempotencyKey)
		if refused.RetryAfter != nil {
			described["retry_after"] = refused.RetryAfter.Seconds()
		}
	case errors.As(err, &connection):
		described["class"] = "ConnectionError"
		if errors.Is(err, understudy.ErrTimeout) {
			described["class"] = "TimeoutError"
		}
		described["idempotency_key"] = orNil(connection.IdempotencyKey)
	case errors.As(err, &failed):
		described["class"], described["code"], described["job"] = "JobFailedError", failed.Code, failed.Job
	case errors.As(err, &forged):
		described["class"], described["reason"] = "WebhookVerificationError", forged.Reason
	case errors.As(err, &configuration):
		described["class"] = "ConfigurationError"
	}
	return described
}

func classOf(err *understudy.APIError) string {
	kinds := map[error]string{
		understudy.ErrAuthentication: "AuthenticationError", understudy.ErrQuotaExceeded: "QuotaExceededError",
		understudy.ErrPermissionDenied: "PermissionDeniedError", understudy.ErrNotFound: "NotFoundError",
		understudy.ErrConflict: "ConflictError", understudy.ErrValidation: "ValidationError",
		understudy.ErrRateLimit: "RateLimitError", understudy.ErrServer: "ServerError",
	}
	for kind, class := range kinds {
		if errors.Is(err, kind) {
			return class
		}
	}
	return "ApiError"
}

func orNil(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// dump returns all text forms of a value.
func dump(value any) string {
	var text strings.Builder
	values := []any{value}
	if client, isClient := value.(*understudy.Client); isClient {
		values = append(values, *client, client.Jobs, *client.Jobs)
	}
	for _, each := range values {
		fmt.Fprintf(&text, "%v\n%+v\n%#v\n%s\n%q\n%d\n", each, each, each, each, each, each)
		_ = json.NewEncoder(io.Writer(&text)).Encode(each)
	}
	return text.String()
}
