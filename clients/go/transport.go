package understudy

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
)

// largestBody is the largest size of a response that is read as a whole.
const largestBody = 64 << 20

// readSize is the size of the buffer of a stream.
const readSize = 64 << 10

// sharedTransport is shared by all clients, so that they share connections.
var sharedTransport http.RoundTripper = &http.Transport{
	Proxy:               http.ProxyFromEnvironment,
	DialContext:         (&net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
	TLSClientConfig:     &tls.Config{MinVersion: tls.VersionTLS12},
	TLSHandshakeTimeout: 10 * time.Second,
	ForceAttemptHTTP2:   true,
	MaxIdleConns:        100,
	MaxIdleConnsPerHost: 16,
	IdleConnTimeout:     90 * time.Second,
	ReadBufferSize:      readSize,
}

type response struct {
	status int
	header http.Header
	body   []byte
	// tooLarge is set if the body exceeds largestBody.
	tooLarge bool
	// records is set instead of body if the response is a stream. Close it.
	records *bodyReader
}

// attempt sends a request once. It reads the whole response, or a stream up to its first byte. Its error is a
// *ConnectionError. If the connection broke within the response, it returns both.
func (c *core) attempt(ctx context.Context, x *exchange) (*response, error) {
	timeout := x.timeout
	if x.streamed != "" {
		timeout = x.generateTimeout
	}
	watch := newWatchdog(ctx, timeout)
	req, err := x.httpRequest(watch.ctx)
	if err != nil {
		watch.stop()
		return nil, configurationError("%s: the request cannot be sent: %v", x.op.id, err)
	}
	res, err := c.transport.RoundTrip(req)
	if err != nil {
		watch.stop()
		return nil, watch.explain(x, err)
	}
	reader := &bodyReader{exchange: x, body: res.Body, watch: watch}
	found := &response{status: res.StatusCode, header: res.Header}
	if x.streamed != "" && res.StatusCode == http.StatusOK && found.encoding() == "" && found.mediaType() == x.streamed {
		reader.Reader = bufio.NewReaderSize(readerFunc(reader.readAwaited), readSize)
		if _, err := reader.Peek(1); err != nil && err != io.EOF {
			reader.Close()
			return found, err
		}
		found.records = reader
		return found, nil
	}
	defer reader.Close()
	found.body, err = io.ReadAll(io.LimitReader(res.Body, largestBody+1))
	if err != nil {
		return found, watch.explain(x, err)
	}
	found.tooLarge = len(found.body) > largestBody
	return found, nil
}

func (x *exchange) httpRequest(ctx context.Context) (*http.Request, error) {
	var body io.Reader
	switch {
	case x.body != nil:
		body = bytes.NewReader(x.body)
	case x.op.method == http.MethodGet:
		// http.Transport repeats a GET by itself if it has no body. This empty body is not sent.
		body = io.NopCloser(strings.NewReader(""))
	}
	req, err := http.NewRequestWithContext(ctx, x.op.method, x.url, body)
	if err == nil {
		req.Header = x.header.Clone()
	}
	return req, err
}

func (r *response) mediaType() string {
	media, _, err := mime.ParseMediaType(r.header.Get("Content-Type"))
	if err != nil {
		return ""
	}
	return media
}

// encoding returns the content encoding of a body that is still encoded, or an empty text. A transport that
// decodes a body removes the header, as http.Transport does.
func (r *response) encoding() string {
	encoding := strings.Join(r.header.Values("Content-Encoding"), ", ")
	if strings.EqualFold(encoding, "identity") {
		return ""
	}
	return encoding
}

// bodyReader reads a streamed body. Its errors are io.EOF or a *ConnectionError.
type bodyReader struct {
	*bufio.Reader
	exchange *exchange
	body     io.ReadCloser
	watch    *watchdog
}

// Close closes the connection unless the whole body was read.
func (r *bodyReader) Close() error {
	r.watch.stop()
	return r.body.Close()
}

// readAwaited limits the time of each read. The time that the caller needs between two reads does not count.
func (r *bodyReader) readAwaited(p []byte) (int, error) {
	r.watch.start()
	n, err := r.body.Read(p)
	r.watch.pause()
	if err != nil && err != io.EOF {
		err = r.watch.explain(r.exchange, err)
	}
	return n, err
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// watchdog cancels a request that takes too long.
type watchdog struct {
	ctx     context.Context
	caller  context.Context
	cancel  context.CancelFunc
	timer   *time.Timer
	timeout time.Duration
	expired atomic.Bool
}

func newWatchdog(caller context.Context, timeout time.Duration) *watchdog {
	w := &watchdog{caller: caller, timeout: timeout}
	w.ctx, w.cancel = context.WithCancel(caller)
	w.timer = time.AfterFunc(timeout, func() {
		w.expired.Store(true)
		w.cancel()
	})
	return w
}

func (w *watchdog) start() { w.timer.Reset(w.timeout) }
func (w *watchdog) pause() { w.timer.Stop() }
func (w *watchdog) stop()  { w.timer.Stop(); w.cancel() }

// explain returns the reason for a failed read or write.
func (w *watchdog) explain(x *exchange, err error) error {
	if ended := w.caller.Err(); ended != nil {
		return x.connectionError(ended, isDeadline(ended))
	}
	if w.expired.Load() {
		return x.connectionError(fmt.Errorf("no complete response within %v", w.timeout), true)
	}
	var failure net.Error
	return x.connectionError(err, errors.As(err, &failure) && failure.Timeout())
}

func (x *exchange) connectionError(cause error, isTimeout bool) error {
	return &ConnectionError{Operation: x.op.id, IdempotencyKey: x.key, cause: cause, timeout: isTimeout}
}

func isDeadline(err error) bool { return errors.Is(err, context.DeadlineExceeded) }
