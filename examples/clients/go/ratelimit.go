package main

import (
	"context"
	"log"
	"net"
	"net/http"
	"strings"
	"time"

	common "github.com/envoyproxy/go-control-plane/envoy/extensions/common/ratelimit/v3"
	rls "github.com/envoyproxy/go-control-plane/envoy/service/ratelimit/v3"
	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials/insecure"
)

// RateLimit asks Weir about each request before a handler sees it.
type RateLimit struct {
	Client rls.RateLimitServiceClient
	Domain string
	// Describe says what is limited: one descriptor for each limit. None: the request passes.
	Describe func(*http.Request) []*common.RateLimitDescriptor
	// Deadline is how long a request waits for an answer.
	Deadline time.Duration
	// FailOpen is whether a request without an answer passes.
	FailOpen bool
}

// Dial makes the connection that all requests share.
func Dial(target string) (*grpc.ClientConn, error) {
	return grpc.NewClient(target,
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		// One connection to each address of the name, such as that of a headless Service.
		grpc.WithDefaultServiceConfig(`{"loadBalancingConfig": [{"round_robin": {}}]}`),
		// By default it may look for a Weir that was away only two minutes later.
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff:           backoff.Config{BaseDelay: 100 * time.Millisecond, Multiplier: 2, Jitter: 0.2, MaxDelay: time.Second},
			MinConnectTimeout: time.Second,
		}),
	)
}

// Wrap lets the handler have the requests that may pass.
func (l *RateLimit) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		descriptors := l.Describe(r)
		if len(descriptors) == 0 {
			next.ServeHTTP(w, r)
			return
		}
		ctx, cancel := context.WithTimeout(r.Context(), l.Deadline)
		defer cancel()
		request := &rls.RateLimitRequest{Domain: l.Domain, Descriptors: descriptors}
		answer, err := l.Client.ShouldRateLimit(ctx, request)
		if err != nil {
			log.Printf("no answer from Weir: %v", err)
			if l.FailOpen {
				next.ServeHTTP(w, r)
			} else {
				http.Error(w, "rate limits cannot be checked", http.StatusServiceUnavailable)
			}
			return
		}
		// Weir makes the headers and the body; docs/clients.md names the settings.
		for _, header := range answer.ResponseHeadersToAdd {
			w.Header().Set(header.Key, header.Value)
		}
		if answer.OverallCode == rls.RateLimitResponse_OVER_LIMIT {
			w.WriteHeader(http.StatusTooManyRequests)
			_, _ = w.Write(answer.RawBody)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// Descriptor makes one of keys and values in turn.
func Descriptor(keysAndValues ...string) *common.RateLimitDescriptor {
	descriptor := &common.RateLimitDescriptor{}
	for i := 0; i+1 < len(keysAndValues); i += 2 {
		descriptor.Entries = append(descriptor.Entries, &common.RateLimitDescriptor_Entry{
			Key: keysAndValues[i],
			// Other octets can't be sent: without this, whoever has them in a header would make the call fail, and pass.
			Value: strings.ToValidUTF8(keysAndValues[i+1], "\uFFFD"),
		})
	}
	return descriptor
}

// Address is that of the connection: nobody can make one up in a header.
func Address(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}
