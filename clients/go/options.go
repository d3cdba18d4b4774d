package understudy

import (
	"context"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Option configures a client.
type Option interface{ applyToClient(*config) }

// CallOption configures one call.
type CallOption interface{ applyToCall(*settings) }

// SharedOption configures a client or one call.
type SharedOption interface {
	Option
	CallOption
}

// WithToken sets the API token. It replaces UNDERSTUDY_API_TOKEN.
func WithToken(token string) Option {
	return clientOption(func(c *config) { c.token = token })
}

// WithBaseURL sets the URL of the control plane, for example https://understudy.example.com. It replaces
// UNDERSTUDY_API_URL. There is no default.
func WithBaseURL(url string) Option {
	return clientOption(func(c *config) { c.baseURL = url })
}

// WithTimeout sets the timeout of one attempt, by default 30 s. The maximum is one hour. As an option of
// a generate call, it replaces the value of WithGenerateTimeout.
func WithTimeout(timeout time.Duration) SharedOption { return timeoutOption(timeout) }

// WithGenerateTimeout sets how long the generate methods wait for the first byte of a response, and between
// two reads. The default is 90 s.
func WithGenerateTimeout(timeout time.Duration) Option {
	return clientOption(func(c *config) { c.generateTimeout = timeout })
}

// WithMaxRetries sets the number of attempts after the first one, from 0 to 10. The default is 2.
func WithMaxRetries(count int) SharedOption { return retriesOption(count) }

// WithMaxWait sets the longest Retry-After that the client obeys, by default 60 s. If the server requests a
// longer delay, the client returns the error instead.
func WithMaxWait(wait time.Duration) Option {
	return clientOption(func(c *config) { c.maxWait = wait })
}

// WithRetryBase sets the base of the delays between attempts, by default 0.5 s. Retry number n, from 0,
// follows after a random time of at most base · 2ⁿ, and at most 8 s.
func WithRetryBase(base time.Duration) Option {
	return clientOption(func(c *config) { c.retryBase = base })
}

// WithAllowPlaintext accepts a base URL with http:// for a host other than this machine. The token is then
// sent without encryption.
func WithAllowPlaintext() Option {
	return clientOption(func(c *config) { c.allowPlaintext = true })
}

// WithOnAttempt calls f after each attempt. f can be called concurrently.
func WithOnAttempt(f func(context.Context, Attempt)) Option {
	return clientOption(func(c *config) { c.onAttempt = f })
}

// WithTransport replaces the transport that sends the requests, for example to add tracing. The default
// transport uses the proxy of the environment and TLS 1.2 or newer.
func WithTransport(transport http.RoundTripper) Option {
	return clientOption(func(c *config) {
		if transport != nil {
			c.transport = transport
		}
	})
}

// WithIdempotencyKey sets the key of a call that creates something, so that you can repeat the call after an
// error. Without it, the client creates a key for each call. Methods that accept no key return a
// *ConfigurationError.
func WithIdempotencyKey(key string) CallOption {
	return callOption(func(s *settings) { s.idempotencyKey = &key })
}

// WithSeed sets the random seed of a generate call. The same schema, seed and time give the same records.
func WithSeed(seed int64) CallOption {
	return callOption(func(s *settings) { s.seed = &seed })
}

// WithNow sets the time to which relative dates of a generate call refer, in ISO 8601.
func WithNow(now string) CallOption {
	return callOption(func(s *settings) { s.now = now })
}

// config is what an Option can change. Only New sees it, because it contains the token.
type config struct {
	settings
	token          string
	baseURL        string
	allowPlaintext bool
	transport      http.RoundTripper
	onAttempt      func(context.Context, Attempt)
}

// settings is what applies to one call.
type settings struct {
	timeout         time.Duration
	generateTimeout time.Duration
	maxRetries      int
	maxWait         time.Duration
	retryBase       time.Duration
	idempotencyKey  *string
	seed            *int64
	now             string
}

type (
	clientOption  func(*config)
	callOption    func(*settings)
	timeoutOption time.Duration
	retriesOption int
)

func (o clientOption) applyToClient(c *config)  { o(c) }
func (o callOption) applyToCall(s *settings)    { o(s) }
func (o timeoutOption) applyToClient(c *config) { c.timeout = time.Duration(o) }
func (o timeoutOption) applyToCall(s *settings) {
	s.timeout, s.generateTimeout = time.Duration(o), time.Duration(o)
}
func (o retriesOption) applyToClient(c *config) { c.maxRetries = int(o) }
func (o retriesOption) applyToCall(s *settings) { s.maxRetries = int(o) }

func newConfig(opts []Option) config {
	config := config{transport: sharedTransport, settings: settings{
		timeout:         30 * time.Second,
		generateTimeout: 90 * time.Second,
		maxRetries:      2,
		maxWait:         60 * time.Second,
		retryBase:       500 * time.Millisecond,
	}}
	for _, option := range opts {
		option.applyToClient(&config)
	}
	return config
}

func (s settings) check() error {
	switch {
	case s.timeout < 0 || s.timeout > time.Hour:
		return configurationError("timeout: expected 0 to 1 h, got %v", s.timeout)
	case s.generateTimeout < 0 || s.generateTimeout > time.Hour:
		return configurationError("generate timeout: expected 0 to 1 h, got %v", s.generateTimeout)
	case s.maxRetries < 0 || s.maxRetries > 10:
		return configurationError("max retries: expected 0 to 10, got %d", s.maxRetries)
	case s.maxWait < 0:
		return configurationError("max wait: expected a positive time, got %v", s.maxWait)
	case s.retryBase < 0:
		return configurationError("retry base: expected a positive time, got %v", s.retryBase)
	}
	return nil
}

// checkToken never shows the token.
func checkToken(token string) error {
	if token == "" {
		return configurationError("missing token: use WithToken, or set UNDERSTUDY_API_TOKEN")
	}
	if !isVisible(token, 512) {
		return configurationError("malformed token: expected 1 to 512 visible ASCII characters without spaces")
	}
	return nil
}

func isVisible(text string, atMost int) bool {
	isHidden := func(r rune) bool { return r <= ' ' || r > '~' }
	return text != "" && len(text) <= atMost && strings.IndexFunc(text, isHidden) < 0
}

// checkBaseURL returns the URL with /v1. An error never shows the URL, because it may contain a password.
func checkBaseURL(text string, allowPlaintext bool) (string, error) {
	if text == "" {
		return "", configurationError("missing base URL: use WithBaseURL, or set UNDERSTUDY_API_URL")
	}
	base, err := url.Parse(text)
	if err != nil || !hasHost(base) || (base.Scheme != "https" && base.Scheme != "http") {
		return "", configurationError("malformed base URL: expected https://<host>")
	}
	if base.User != nil || strings.ContainsAny(text, "?#") {
		return "", configurationError("base URL: expected no user name, password, query or fragment")
	}
	if base.Scheme == "http" && !allowPlaintext && !isLoopback(base.Hostname()) {
		return "", configurationError("base URL: expected https, because http would send the token without " +
			"encryption; use WithAllowPlaintext to permit this")
	}
	path := strings.TrimRight(base.EscapedPath(), "/")
	if !strings.HasSuffix(path, "/v1") {
		path += "/v1"
	}
	return base.Scheme + "://" + base.Host + path, nil
}

func hasHost(base *url.URL) bool {
	port, err := strconv.ParseUint(base.Port(), 10, 16)
	return base.Hostname() != "" && (base.Port() == "" || err == nil && port > 0)
}

func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	address, err := netip.ParseAddr(host)
	return err == nil && (address.Is4() && address.IsLoopback() || address == netip.MustParseAddr("::1"))
}

// Ptr returns a pointer to v, for optional fields of requests.
func Ptr[T any](v T) *T { return &v }
