package main

import (
	_ "github.com/envoyproxy/go-control-plane/pkg/server/v3"
	_ "github.com/envoyproxy/go-control-plane/ratelimit/config/ratelimit/v3"
	_ "google.golang.org/grpc"
)

func main() {}
