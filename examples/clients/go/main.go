// A service that asks Weir about every request. With `npm start` in the repository:
//
//	LIMIT_RESPONSE_HEADERS_ENABLED=true LIMIT_RESPONSE_HEADERS_STYLE=x-ratelimit DENIAL_BODY=json npm start
//	PORT=3000 go run .
//	curl -i http://127.0.0.1:3000/ -H 'x-user-id: ann'
package main

import (
	"cmp"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"time"

	common "github.com/envoyproxy/go-control-plane/envoy/extensions/common/ratelimit/v3"
	rls "github.com/envoyproxy/go-control-plane/envoy/service/ratelimit/v3"
)

func main() {
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() error {
	deadline, err := time.ParseDuration(cmp.Or(os.Getenv("DEADLINE_MS"), "20") + "ms")
	if err != nil {
		return err
	}
	connection, err := Dial(cmp.Or(os.Getenv("WEIR"), "localhost:8081"))
	if err != nil {
		return err
	}
	defer connection.Close()
	limit := &RateLimit{
		Client:   rls.NewRateLimitServiceClient(connection),
		Domain:   "api",
		Describe: describe,
		Deadline: deadline,
		FailOpen: os.Getenv("FAIL_CLOSED") == "",
	}
	listener, err := net.Listen("tcp", "127.0.0.1:"+cmp.Or(os.Getenv("PORT"), "3000"))
	if err != nil {
		return err
	}
	fmt.Printf("listening on %s\n", listener.Addr())
	hello := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "hello") })
	return http.Serve(listener, limit.Wrap(hello))
}

// The address of the client and its user: two limits, as in examples/config.
func describe(r *http.Request) []*common.RateLimitDescriptor {
	descriptors := []*common.RateLimitDescriptor{Descriptor("remote_address", Address(r))}
	// In a real service, whoever was authenticated; what clients send in a header they can choose.
	if user := r.Header.Get("X-User-Id"); user != "" {
		descriptors = append(descriptors, Descriptor("user", user))
	}
	return descriptors
}
