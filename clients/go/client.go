// Package understudy is the client for the API of Understudy.
//
// Understudy generates synthetic records from a schema, and copies databases with masked values. Create a
// client with [New], and call the methods of its groups:
//
//	client, err := understudy.New(understudy.WithToken("…"), understudy.WithBaseURL("https://…"))
//	records, err := client.Generate(ctx, schema, 100)
//	job, err := client.Jobs.Get(ctx, "job_…", GetSyncJobParams{})
//
// The client repeats failed requests and never creates anything twice: all attempts of a call have the same
// idempotency key. Inspect an error with [errors.As] and *[APIError], or with [errors.Is] and a value such as
// [ErrNotFound].
package understudy

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"runtime"
	"strings"
	"time"
)

// Version is the version of this package.
const Version = "0.1.0"

// New creates a client. The token and the base URL come from the options, or from the environment variables
// UNDERSTUDY_API_TOKEN and UNDERSTUDY_API_URL. New returns a *ConfigurationError if one of them is missing, or
// if an option is invalid. It sends nothing.
func New(opts ...Option) (*Client, error) {
	config := newConfig(opts)
	if config.token == "" {
		config.token = os.Getenv("UNDERSTUDY_API_TOKEN")
	}
	if err := checkToken(config.token); err != nil {
		return nil, err
	}
	core, err := newCore(config)
	if err != nil {
		return nil, err
	}
	// The token exists only within these functions, so that no text form of the client can show it.
	authorization, token := "Bearer "+config.token, config.token
	core.authorize = func(header http.Header) { header.Set("Authorization", authorization) }
	core.redact = func(text string) string { return strings.ReplaceAll(text, token, "[token]") }
	return newClient(core), nil
}

// NewWithoutToken creates a client for operations that need no token, such as Members.AcceptInvitation. Other
// operations return a *ConfigurationError.
func NewWithoutToken(opts ...Option) (*Client, error) {
	core, err := newCore(newConfig(opts))
	if err != nil {
		return nil, err
	}
	return newClient(core), nil
}

// BaseURL returns the URL to which the client appends the paths of the API. It ends in /v1.
func (c *Client) BaseURL() string { return c.core.baseURL }

// String describes the client without its token.
func (c *Client) String() string { return fmt.Sprintf("understudy.Client(%s)", c.core.baseURL) }

// Attempt describes one attempt to send a request.
type Attempt struct {
	// Operation is the id of the operation in the API's OpenAPI document, for example createSyncJob.
	Operation string
	// Number is 1 for the first attempt of a call.
	Number int
	// Status is the HTTP status, or 0 if there was no response.
	Status    int
	RequestID string
	// Retrying reports whether another attempt follows, after Delay.
	Retrying bool
	Delay    time.Duration
}

// core is what the groups of methods share.
type core struct {
	baseURL   string
	settings  settings
	transport http.RoundTripper
	onAttempt func(context.Context, Attempt)
	// authorize adds the token. It is nil in a client without a token.
	authorize func(http.Header)
	// redact removes the token from a text of the server.
	redact func(string) string
}

func newCore(config config) (*core, error) {
	if config.baseURL == "" {
		config.baseURL = os.Getenv("UNDERSTUDY_API_URL")
	}
	baseURL, err := checkBaseURL(config.baseURL, config.allowPlaintext)
	if err != nil {
		return nil, err
	}
	if err := config.settings.check(); err != nil {
		return nil, err
	}
	return &core{
		baseURL:   baseURL,
		settings:  config.settings,
		transport: config.transport,
		onAttempt: config.onAttempt,
		redact:    func(text string) string { return text },
	}, nil
}

var userAgent = fmt.Sprintf("understudy-go/%s (%s)", Version, runtime.Version())
