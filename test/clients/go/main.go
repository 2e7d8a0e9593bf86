// The calls of the suite grpc-clients.test.ts by grpc-go, printed as one JSON object: what each call came to.
// It makes and reads no messages: they are octets here, and the suite decodes them.
//
//	grpc-go-client -target HOST:PORT -request FILE (-large FILE | -steady CALLS) [-ca FILE]
package main

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/encoding/gzip"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

const (
	rateLimit    = "/envoy.service.ratelimit.v3.RateLimitService/"
	health       = "/grpc.health.v1.Health/"
	reflection   = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"
	limit        = rateLimit + "ShouldRateLimit"
	callTimeout  = 10 * time.Second
	shortTimeout = 300 * time.Millisecond
)

// A ServerReflectionRequest with `list_services: "*"`, field 7.
var listServices = []byte{0x3a, 1, '*'}

var tooLarge = make([]byte, 5*1024*1024)

// Outcome is what a call came to: the number of its status, and the answers in hexadecimal.
type Outcome struct {
	Code    int      `json:"code"`
	Text    string   `json:"text"`
	Answers []string `json:"answers"`
}

type client struct{ conn *grpc.ClientConn }

func main() {
	target := flag.String("target", "", "host:port")
	ca := flag.String("ca", "", "file with the authority; without it there is no TLS")
	request := flag.String("request", "", "file with a RateLimitRequest")
	large := flag.String("large", "", "file with a large RateLimitRequest")
	steady := flag.Int("steady", 0, "only so many calls of one kind, eight at a time")
	flag.Parse()
	if err := run(*target, *ca, *request, *large, *steady); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(target, ca, requestFile, largeFile string, steady int) error {
	request, err := os.ReadFile(requestFile)
	if err != nil {
		return err
	}
	security := insecure.NewCredentials()
	if ca != "" {
		if security, err = credentials.NewClientTLSFromFile(ca, ""); err != nil {
			return err
		}
	}
	codec := grpc.WithDefaultCallOptions(grpc.ForceCodec(octets{}), grpc.CallContentSubtype("proto"))
	conn, err := grpc.NewClient(target, grpc.WithTransportCredentials(security), codec)
	if err != nil {
		return err
	}
	defer conn.Close()
	output := json.NewEncoder(os.Stdout)
	if steady > 0 {
		return output.Encode(client{conn}.atATime(8, steady, request))
	}
	large, err := os.ReadFile(largeFile)
	if err != nil {
		return err
	}
	return output.Encode(client{conn}.calls(request, large))
}

func (c client) calls(request, large []byte) map[string]any {
	background := context.Background()
	described := metadata.AppendToOutgoingContext(background,
		"x-long", strings.Repeat("0123456789", 1_000), "x-octets-bin", "\x00\xff\x80", "x-twice", "a", "x-twice", "b")
	return map[string]any{
		"unary":               c.unary(background, limit, request),
		"gzip":                c.unary(background, limit, request, grpc.UseCompressor(gzip.Name)),
		"metadata":            c.unary(described, limit, request),
		"large":               c.unary(background, limit, large),
		"large-gzip":          c.unary(background, limit, large, grpc.UseCompressor(gzip.Name)),
		"too-large":           inTurn(10, func() Outcome { return c.unary(background, limit, tooLarge) }),
		"unknown-method":      c.unary(background, rateLimit+"NoSuchMethod", request),
		"check":               c.unary(background, health+"Check", nil),
		"cancelled":           c.watch(callTimeout, true),
		"timed-out":           c.watch(shortTimeout, false),
		"request-without-end": c.requestWithoutEnd(),
		"reflection":          c.listServicesTwice(),
		"concurrent":          c.atATime(200, 200, request),
		"last":                c.unary(background, limit, large),
	}
}

func (c client) unary(ctx context.Context, path string, request []byte, options ...grpc.CallOption) Outcome {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	var answer []byte
	if err := c.conn.Invoke(ctx, path, request, &answer, options...); err != nil {
		return outcome(err)
	}
	return outcome(nil, answer)
}

// One health.Watch, which has no end of its own, up to its deadline or until it is cancelled after the first answer.
func (c client) watch(timeout time.Duration, cancelled bool) Outcome {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	stream, err := c.conn.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true}, health+"Watch")
	if err != nil {
		return outcome(err)
	}
	if err := stream.SendMsg([]byte{}); err != nil {
		return outcome(err)
	}
	if err := stream.CloseSend(); err != nil {
		return outcome(err)
	}
	var answers [][]byte
	for {
		var answer []byte
		if err := stream.RecvMsg(&answer); err != nil {
			return outcome(err, answers...)
		}
		answers = append(answers, answer)
		if cancelled {
			cancel()
		}
	}
}

// A unary call that never says what it asks.
func (c client) requestWithoutEnd() Outcome {
	ctx, cancel := context.WithTimeout(context.Background(), shortTimeout)
	defer cancel()
	stream, err := c.conn.NewStream(ctx, &grpc.StreamDesc{ClientStreams: true}, limit)
	if err != nil {
		return outcome(err)
	}
	return outcome(stream.RecvMsg(new([]byte)))
}

// A call that streams both ways: the second question goes out when the first is answered.
func (c client) listServicesTwice() Outcome {
	ctx, cancel := context.WithTimeout(context.Background(), callTimeout)
	defer cancel()
	description := &grpc.StreamDesc{ServerStreams: true, ClientStreams: true}
	stream, err := c.conn.NewStream(ctx, description, reflection)
	if err != nil {
		return outcome(err)
	}
	var answers [][]byte
	for range 2 {
		var answer []byte
		if err := stream.SendMsg(listServices); err != nil {
			return outcome(err, answers...)
		}
		if err := stream.RecvMsg(&answer); err != nil {
			return outcome(err, answers...)
		}
		answers = append(answers, answer)
	}
	if err := stream.CloseSend(); err != nil {
		return outcome(err, answers...)
	}
	err = stream.RecvMsg(new([]byte))
	if err == io.EOF {
		err = nil
	}
	return outcome(err, answers...)
}

// So many calls, with a number of them under way at any time.
func (c client) atATime(width, count int, request []byte) []Outcome {
	outcomes := make([]Outcome, count)
	var next atomic.Int64
	var group sync.WaitGroup
	for range width {
		group.Go(func() {
			for i := next.Add(1) - 1; int(i) < count; i = next.Add(1) - 1 {
				outcomes[i] = c.unary(context.Background(), limit, request)
			}
		})
	}
	group.Wait()
	return outcomes
}

func inTurn(times int, ask func() Outcome) []Outcome {
	outcomes := make([]Outcome, times)
	for i := range outcomes {
		outcomes[i] = ask()
	}
	return outcomes
}

func outcome(err error, answers ...[]byte) Outcome {
	result := Outcome{Code: int(status.Code(err)), Text: status.Convert(err).Message(), Answers: []string{}}
	for _, answer := range answers {
		result.Answers = append(result.Answers, hex.EncodeToString(answer))
	}
	return result
}

// Carries messages as they are. Named as the codec that it replaces, for the content-type.
type octets struct{}

func (octets) Name() string { return "proto" }

func (octets) Marshal(message any) ([]byte, error) { return message.([]byte), nil }

func (octets) Unmarshal(data []byte, message any) error {
	*message.(*[]byte) = append([]byte{}, data...)
	return nil
}
