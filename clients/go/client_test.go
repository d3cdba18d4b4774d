package understudy

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/understudy/understudy-go/internal/hooks"
)

const secret = "ust_secret-of-the-tests"

// serve starts a server, and creates a client that does not wait between attempts.
func serve(t *testing.T, handler http.HandlerFunc, opts ...Option) *Client {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	opts = append([]Option{WithToken(secret), WithBaseURL(server.URL), WithRetryBase(0)}, opts...)
	client, err := New(opts...)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func respond(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	fmt.Fprint(w, body)
}

func refuse(w http.ResponseWriter, _ *http.Request) {
	respond(w, 404, `{"error":{"code":"not_found","message":"no job for `+secret+`"}}`)
}

func TestNoTextFormShowsTheToken(t *testing.T) {
	client := serve(t, refuse)
	_, refused := client.Jobs.Get(context.Background(), "job_1", GetSyncJobParams{})
	closed := serve(t, nil)
	closed.core.baseURL = "http://127.0.0.1:1/v1"
	_, unreachable := closed.Jobs.Get(context.Background(), "job_1", GetSyncJobParams{}, WithMaxRetries(0))
	_, malformed := New(WithToken(secret+" "), WithBaseURL("https://example.com"))
	_, withPassword := New(WithToken(secret), WithBaseURL("https://user:"+secret+"@example.com"))

	values := map[string]any{
		"client": client, "client value": *client, "service": client.Jobs, "service value": *client.Jobs,
		"in a struct": struct{ c Client }{*client}, "core": *client.core, "option": WithToken(secret),
		"APIError": refused, "ConnectionError": unreachable, "ConfigurationError": malformed,
		"base URL": withPassword,
	}
	for name, value := range values {
		if value == nil {
			t.Fatalf("%s: expected a value", name)
		}
		var text bytes.Buffer
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d", "%T"} {
			fmt.Fprintf(&text, verb, value)
		}
		if encoded, err := json.Marshal(value); err == nil {
			text.Write(encoded)
		}
		if strings.Contains(text.String(), secret) || strings.Contains(text.String(), fmt.Sprintf("%x", secret)) {
			t.Errorf("%s shows the token: %s", name, text.String())
		}
	}
}

func TestAnAttemptDoesNotShowATokenThatTheServerRepeats(t *testing.T) {
	var attempts []Attempt
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Request-Id", r.Header.Get("Authorization"))
		refuse(w, r)
	}, WithOnAttempt(func(_ context.Context, attempt Attempt) { attempts = append(attempts, attempt) }))
	_, err := client.Jobs.Get(context.Background(), "job_1", GetSyncJobParams{})
	if text := fmt.Sprintf("%+v %+v", attempts, err); len(attempts) != 1 || strings.Contains(text, secret) {
		t.Errorf("got %s", text)
	}
}

func TestErrorsHaveKindsAndFields(t *testing.T) {
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Request-Id", "req_1")
		w.Header().Set("Retry-After", "120")
		respond(w, 429, `{"error":{"code":"rate_limit_exceeded","message":"Too many."}}`)
	})
	_, err := client.Jobs.Create(context.Background(), CreateSyncJobRequest{}, WithIdempotencyKey("my-key"))
	var refused *APIError
	if !errors.As(fmt.Errorf("wrapped: %w", err), &refused) {
		t.Fatalf("expected an *APIError, got %v", err)
	}
	if refused.Code != "rate_limit_exceeded" || refused.RequestID != "req_1" || refused.IdempotencyKey != "my-key" ||
		refused.RetryAfter == nil || *refused.RetryAfter != 2*time.Minute {
		t.Errorf("got %+v", refused)
	}
	if !errors.Is(err, ErrRateLimit) || errors.Is(err, ErrServer) || errors.Is(err, ErrTimeout) {
		t.Errorf("expected only ErrRateLimit, got %v", err)
	}
	var ours Error
	if !errors.As(err, &ours) {
		t.Errorf("expected an Error, got %v", err)
	}
}

func TestTheTransportRepeatsNothingByItself(t *testing.T) {
	var requests atomic.Int64
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if requests.Add(1)%2 == 1 {
			respond(w, 200, `{"data":{"id":"job_1"}}`)
			return
		}
		// Breaks a connection that the client has used before.
		connection, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		connection.Close()
	}, WithMaxRetries(0))
	ctx := context.Background()
	calls := map[string]func() error{
		"GET": func() error { _, err := client.Jobs.Get(ctx, "job_1", GetSyncJobParams{}); return err },
		"POST": func() error {
			_, err := client.Jobs.Create(ctx, CreateSyncJobRequest{}, WithIdempotencyKey("key"))
			return err
		},
		"DELETE": func() error { _, err := client.Jobs.Delete(ctx, "job_1"); return err },
	}
	for name, call := range calls {
		requests.Store(0)
		if err := call(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var broken *ConnectionError
		if err := call(); !errors.As(err, &broken) {
			t.Errorf("%s: expected a *ConnectionError, got %v", name, err)
		}
		if requests.Load() != 2 {
			t.Errorf("%s: expected 2 requests, got %d", name, requests.Load())
		}
	}
}

func TestAnEmptyListIsSentAndAMissingOneIsNot(t *testing.T) {
	tests := map[string]any{
		`{"name":"a","role":"viewer"}`:                            CreateTokenRequest{Name: "a", Role: RoleViewer},
		`{"name":"a","role":"viewer","scopes":[]}`:                CreateTokenRequest{Name: "a", Role: RoleViewer, Scopes: []Scope{}},
		`{"name":"a","database":"agent:shop","tables":[]}`:        CreateSnapshotRequest{Name: "a", Database: "agent:shop", Tables: []string{}},
		`{"enabled":false}`:                                       ChangeWebhookRequest{Enabled: Ptr(false)},
		`{"plan":"team"}`:                                         ChangeOrganizationRequest{Plan: PlanTeam},
		`{"where":"a > 1","limit":0}`:                             TableSubset{Where: "a > 1", Limit: Ptr(int64(0))},
		`{"target_database":"a","agent":{"id":"ag","labels":[]}}`: RestoreSnapshotRequest{TargetDatabase: "a", Agent: &AgentSelector{ID: "ag", Labels: []string{}}},
	}
	for expected, body := range tests {
		text, err := json.Marshal(body)
		if err != nil || !sameJSON(t, string(text), expected) {
			t.Errorf("expected %s, got %s (%v)", expected, text, err)
		}
	}
}

func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	normal := func(text string) string {
		var value any
		if err := json.Unmarshal([]byte(text), &value); err != nil {
			t.Fatal(err)
		}
		encoded, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		return string(encoded)
	}
	return normal(a) == normal(b)
}

func TestNumbersKeepAllDigits(t *testing.T) {
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		respond(w, 200, `{"data":{"id":"a@1","definition":{"seed":9007199254740993}},"meta":{}}`)
	})
	generator, err := client.Generators.Get(context.Background(), "a@1")
	if err != nil {
		t.Fatal(err)
	}
	if text := fmt.Sprint(generator.Definition["seed"]); text != "9007199254740993" {
		t.Errorf("got %s", text)
	}
}

func TestCancellingTheContextEndsADelay(t *testing.T) {
	client := serve(t, func(w http.ResponseWriter, r *http.Request) { respond(w, 503, `{}`) })
	ctx, cancel := context.WithCancel(context.Background())
	real := hooks.Sleep
	defer func() { hooks.Sleep = real }()
	hooks.Sleep = func(ctx context.Context, _ time.Duration) error {
		cancel()
		return real(ctx, time.Hour)
	}
	_, err := client.Jobs.Create(ctx, CreateSyncJobRequest{})
	var broken *ConnectionError
	if !errors.Is(err, context.Canceled) || !errors.As(err, &broken) || broken.IdempotencyKey == "" || broken.Timeout() {
		t.Errorf("expected a *ConnectionError with a key and context.Canceled, got %v", err)
	}
}

func TestADeadlineOfTheCallerIsATimeout(t *testing.T) {
	release := make(chan struct{})
	client := serve(t, func(w http.ResponseWriter, r *http.Request) { <-release })
	defer close(release)
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	_, err := client.Jobs.Get(ctx, "job_1", GetSyncJobParams{})
	if !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, ErrTimeout) {
		t.Errorf("expected context.DeadlineExceeded and ErrTimeout, got %v", err)
	}
	_, err = client.Jobs.Get(context.Background(), "job_1", GetSyncJobParams{}, WithTimeout(time.Millisecond), WithMaxRetries(1))
	if errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, ErrTimeout) {
		t.Errorf("expected only ErrTimeout, got %v", err)
	}
}

func TestADefinitionIsWrittenAsItWasRead(t *testing.T) {
	read := `{"name":"copy","source":{"type":"postgresql","connection_string":null},` +
		`"target":{"type":"postgresql","connection_string":"agent:b"},"tables":[` +
		`{"name":"a","columns":{"c":null},"subset":{"where":null,"limit":0}},{"name":"b","columns":{}}],` +
		`"unlisted_columns":"preserve","dry_run":false,"seed":7,"now":"2026-01-01T00:00:00.000Z"}`
	client := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		respond(w, 200, `{"data":{"definition":`+read+`,"withheld":["tables[0].subset.where"]}}`)
	})
	job, err := client.Jobs.GetDefinition(context.Background(), "job_1")
	if err != nil {
		t.Fatal(err)
	}
	if written, err := json.Marshal(job.Definition); err != nil || string(written) != read {
		t.Errorf("expected %s, got %s (%v)", read, written, err)
	}
}

func TestThePagerRequestsAPageWhenThePreviousOneIsUsedUp(t *testing.T) {
	var requests atomic.Int64
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		page := r.URL.Query().Get("page")
		respond(w, 200, `{"data":{"jobs":[{"id":"`+page+`a"},{"id":"`+page+`b"}],"total":4,"page":`+page+`,"per_page":2}}`)
	})
	pager := client.Jobs.Iterate(context.Background(), ListSyncJobsParams{Status: "pending,running"})
	var ids []string
	for pager.Next() {
		if expected := int64(len(ids)/2 + 1); requests.Load() != expected {
			t.Errorf("expected %d requests after %v, got %d", expected, ids, requests.Load())
		}
		ids = append(ids, pager.Item().ID)
	}
	if got := strings.Join(ids, " "); got != "1a 1b 2a 2b" || pager.Err() != nil || requests.Load() != 2 {
		t.Errorf("got %s, %v, %d requests", got, pager.Err(), requests.Load())
	}
	if pager.Next() {
		t.Error("expected no item after the end")
	}
}

func TestOptionsOfOtherOperationsAreRefused(t *testing.T) {
	client := serve(t, refuse)
	ctx := context.Background()
	_, withKey := client.Jobs.Get(ctx, "job_1", GetSyncJobParams{}, WithIdempotencyKey("key"))
	_, withSeed := client.Jobs.Get(ctx, "job_1", GetSyncJobParams{}, WithSeed(1))
	_, withDots := client.Jobs.Get(ctx, "..", GetSyncJobParams{})
	anonymous, err := NewWithoutToken(WithBaseURL(client.BaseURL()))
	if err != nil {
		t.Fatal(err)
	}
	_, withoutToken := anonymous.Jobs.Get(ctx, "job_1", GetSyncJobParams{})
	for _, err := range []error{withKey, withSeed, withDots, withoutToken} {
		var configuration *ConfigurationError
		if !errors.As(err, &configuration) {
			t.Errorf("expected a *ConfigurationError, got %v", err)
		}
	}
}

func TestHTTP2HasTheSameRequests(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		text := fmt.Sprintf("%s %s %d %v %v", r.Proto, r.Method, len(body), r.Header["Idempotency-Key"], err)
		respond(w, 200, `{"data":{"id":"`+text+`"}}`)
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	client, err := New(WithToken(secret), WithBaseURL(server.URL), WithTransport(server.Client().Transport))
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	job, err := client.Jobs.Get(ctx, "job_1", GetSyncJobParams{})
	if err != nil || job.ID != "HTTP/2.0 GET 0 [] <nil>" {
		t.Errorf("got %+v, %v", job, err)
	}
	job, err = client.Jobs.Release(ctx, "job_1", WithIdempotencyKey("key"))
	if err != nil || job.ID != "HTTP/2.0 POST 2 [key] <nil>" {
		t.Errorf("got %+v, %v", job, err)
	}
}

func TestDelaysDifferBetweenProcesses(t *testing.T) {
	numbers := map[float64]bool{}
	for i := 0; i < 100; i++ {
		number := hooks.Random()
		if number < 0 || number > 1 {
			t.Fatalf("expected 0 to 1, got %v", number)
		}
		numbers[number] = true
	}
	// This is the first number of math/rand without a seed.
	if len(numbers) < 100 || numbers[0.6046602879796196] {
		t.Errorf("expected different numbers, got %v", numbers)
	}
}

func TestACustomTransportSendsTheRequests(t *testing.T) {
	client, err := New(WithToken(secret), WithBaseURL("https://example.com"), WithTransport(
		transportFunc(func(r *http.Request) (*http.Response, error) {
			body := io.NopCloser(strings.NewReader(`{"data":{"id":"` + r.URL.Path + `"}}`))
			return &http.Response{StatusCode: 200, Header: http.Header{}, Body: body}, nil
		})))
	if err != nil {
		t.Fatal(err)
	}
	job, err := client.Jobs.Get(context.Background(), "a/b", GetSyncJobParams{})
	if err != nil || job.ID != "/v1/sync/jobs/a/b" {
		t.Errorf("got %v, %v", job, err)
	}
}

type transportFunc func(*http.Request) (*http.Response, error)

func (f transportFunc) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
