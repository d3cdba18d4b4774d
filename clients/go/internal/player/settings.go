package main

import (
	"context"
	"time"

	"github.com/understudy/understudy-go"
	"github.com/understudy/understudy-go/internal/hooks"
)

type clientOptions struct {
	Token           *string
	BaseURL         *string `json:"base_url"`
	Timeout         *float64
	GenerateTimeout *float64 `json:"generate_timeout"`
	MaxRetries      *int     `json:"max_retries"`
	MaxWait         *float64 `json:"max_wait"`
	RetryBase       *float64 `json:"retry_base"`
	AllowPlaintext  bool     `json:"allow_plaintext"`
	WithoutToken    bool     `json:"without_token"`
}

// kept is the client of all requests with keep_client, and where it reports the attempts of the current one.
var kept struct {
	client *understudy.Client
	out    response
}

func (req *request) connect(out *response) (*understudy.Client, error) {
	if !req.KeepClient {
		return req.Client.create(out)
	}
	if kept.client == nil {
		client, err := req.Client.create(&kept.out)
		if err != nil {
			return nil, err
		}
		kept.client = client
	}
	return kept.client, nil
}

func (c clientOptions) create(out *response) (*understudy.Client, error) {
	opts := []understudy.Option{understudy.WithOnAttempt(func(_ context.Context, a understudy.Attempt) {
		made := attempt{Operation: a.Operation, Attempt: a.Number}
		if a.Status != 0 {
			made.Status = &a.Status
		}
		if a.RequestID != "" {
			made.RequestID = &a.RequestID
		}
		if a.Retrying {
			made.Delay = understudy.Ptr(a.Delay.Seconds())
		}
		out.Attempts = append(out.Attempts, made)
	})}
	add := func(option understudy.Option) { opts = append(opts, option) }
	if c.Token != nil {
		add(understudy.WithToken(*c.Token))
	}
	if c.BaseURL != nil {
		add(understudy.WithBaseURL(*c.BaseURL))
	}
	if c.Timeout != nil {
		add(understudy.WithTimeout(seconds(*c.Timeout)))
	}
	if c.GenerateTimeout != nil {
		add(understudy.WithGenerateTimeout(seconds(*c.GenerateTimeout)))
	}
	if c.MaxRetries != nil {
		add(understudy.WithMaxRetries(*c.MaxRetries))
	}
	if c.MaxWait != nil {
		add(understudy.WithMaxWait(seconds(*c.MaxWait)))
	}
	if c.RetryBase != nil {
		add(understudy.WithRetryBase(seconds(*c.RetryBase)))
	}
	if c.AllowPlaintext {
		add(understudy.WithAllowPlaintext())
	}
	if c.WithoutToken {
		return understudy.NewWithoutToken(opts...)
	}
	return understudy.New(opts...)
}

func (r *request) callOptions() (opts []understudy.CallOption) {
	if r.Options.Timeout != nil {
		opts = append(opts, understudy.WithTimeout(seconds(*r.Options.Timeout)))
	}
	if r.Options.MaxRetries != nil {
		opts = append(opts, understudy.WithMaxRetries(*r.Options.MaxRetries))
	}
	if r.Options.IdempotencyKey != nil {
		opts = append(opts, understudy.WithIdempotencyKey(*r.Options.IdempotencyKey))
	}
	if r.Generate.Seed != nil {
		opts = append(opts, understudy.WithSeed(*r.Generate.Seed))
	}
	if r.Generate.Now != nil {
		opts = append(opts, understudy.WithNow(*r.Generate.Now))
	}
	return opts
}

func seconds(count float64) time.Duration { return time.Duration(count * float64(time.Second)) }

// clock replaces the hooks as the request demands. Its context ends after the time of `wait`.
func clock(req *request) (context.Context, context.CancelFunc) {
	var passed time.Duration
	sleep := realSleep
	hooks.Now = func() time.Time { return time.Now().Add(passed) }
	ctx, cancel := context.WithCancel(context.Background())
	if req.Wait.Timeout != nil && !req.FakeSleep {
		ctx, cancel = context.WithTimeout(ctx, seconds(*req.Wait.Timeout))
	}
	hooks.Sleep = func(ctx context.Context, d time.Duration) error {
		if req.RealBackoffScale != nil {
			d = time.Duration(float64(d) * *req.RealBackoffScale)
		}
		return sleep(ctx, d)
	}
	if req.FakeSleep {
		hooks.Sleep = func(ctx context.Context, d time.Duration) error {
			passed += d
			if req.Wait.Timeout != nil && passed > seconds(*req.Wait.Timeout) {
				return context.DeadlineExceeded
			}
			return ctx.Err()
		}
	}
	return ctx, cancel
}

var realSleep = hooks.Sleep
