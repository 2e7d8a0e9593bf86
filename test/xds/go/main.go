// Program ads-server is a control plane for tests: aggregated discovery of go-control-plane, the library of Envoy Gateway and
// of the reference's own client. It is told over HTTP what to serve, and says what it was answered.
//
//	ads-server -listen 127.0.0.1:0 -control 127.0.0.1:0 -node envoy-ratelimit [-cert F -key F -client-ca F]
//
//	PUT /snapshot   {"version": "2", "resources": ["base64 of a RateLimitConfig", ...]}
//	GET /requests   the DiscoveryRequests so far
//
// The first line on stdout is {"xds": "host:port", "control": "host:port"}.
package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"flag"
	"log"
	"net"
	"net/http"
	"os"
	"sync"

	discovery "github.com/envoyproxy/go-control-plane/envoy/service/discovery/v3"
	"github.com/envoyproxy/go-control-plane/pkg/cache/types"
	"github.com/envoyproxy/go-control-plane/pkg/cache/v3"
	"github.com/envoyproxy/go-control-plane/pkg/resource/v3"
	"github.com/envoyproxy/go-control-plane/pkg/server/v3"
	ratelimit "github.com/envoyproxy/go-control-plane/ratelimit/config/ratelimit/v3"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/protobuf/proto"
)

type state struct {
	node  string
	cache cache.SnapshotCache

	mutex    sync.Mutex
	requests []answer
}

// answer is what of a DiscoveryRequest matters to tests.
type answer struct {
	Node    string            `json:"node"`
	Data    map[string]string `json:"metadata"`
	Version string            `json:"version"`
	Nonce   string            `json:"nonce"`
	Code    int32             `json:"code"`
	Error   string            `json:"error"`
}

func main() {
	listen := flag.String("listen", "127.0.0.1:0", "where the control plane is")
	control := flag.String("control", "127.0.0.1:0", "where it is told what to serve")
	node := flag.String("node", "default", "the node that is served")
	certFile := flag.String("cert", "", "certificate of the server; with it there is TLS")
	keyFile := flag.String("key", "", "its key")
	clientCA := flag.String("client-ca", "", "authority of the certificates that clients must show")
	flag.Parse()

	s := &state{node: *node, cache: cache.NewSnapshotCache(true, cache.IDHash{}, nil)}
	options, err := transport(*certFile, *keyFile, *clientCA)
	if err != nil {
		log.Fatal(err)
	}
	xds, err := net.Listen("tcp", *listen)
	if err != nil {
		log.Fatal(err)
	}
	http, err := net.Listen("tcp", *control)
	if err != nil {
		log.Fatal(err)
	}
	grpcServer := grpc.NewServer(options...)
	callbacks := server.CallbackFuncs{StreamRequestFunc: s.record}
	discovery.RegisterAggregatedDiscoveryServiceServer(grpcServer, server.NewServer(context.Background(), s.cache, callbacks))
	go s.serveControl(http)
	places := map[string]string{"xds": xds.Addr().String(), "control": http.Addr().String()}
	if err := json.NewEncoder(os.Stdout).Encode(places); err != nil {
		log.Fatal(err)
	}
	log.Fatal(grpcServer.Serve(xds))
}

func transport(certFile, keyFile, clientCA string) ([]grpc.ServerOption, error) {
	if certFile == "" {
		return nil, nil
	}
	cert, err := tls.LoadX509KeyPair(certFile, keyFile)
	if err != nil {
		return nil, err
	}
	config := &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS13}
	if clientCA != "" {
		pem, err := os.ReadFile(clientCA)
		if err != nil {
			return nil, err
		}
		config.ClientCAs = x509.NewCertPool()
		config.ClientCAs.AppendCertsFromPEM(pem)
		config.ClientAuth = tls.RequireAndVerifyClientCert
	}
	return []grpc.ServerOption{grpc.Creds(credentials.NewTLS(config))}, nil
}

func (s *state) record(_ int64, request *discovery.DiscoveryRequest) error {
	data := map[string]string{}
	for name, value := range request.GetNode().GetMetadata().GetFields() {
		data[name] = value.GetStringValue()
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.requests = append(s.requests, answer{
		Node:    request.GetNode().GetId(),
		Data:    data,
		Version: request.GetVersionInfo(),
		Nonce:   request.GetResponseNonce(),
		Code:    request.GetErrorDetail().GetCode(),
		Error:   request.GetErrorDetail().GetMessage(),
	})
	return nil
}

func (s *state) serveControl(listener net.Listener) {
	mux := http.NewServeMux()
	mux.HandleFunc("PUT /snapshot", func(w http.ResponseWriter, r *http.Request) {
		if err := s.setSnapshot(r); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
		}
	})
	mux.HandleFunc("GET /requests", func(w http.ResponseWriter, _ *http.Request) {
		s.mutex.Lock()
		defer s.mutex.Unlock()
		if err := json.NewEncoder(w).Encode(s.requests); err != nil {
			log.Print(err)
		}
	})
	log.Fatal(http.Serve(listener, mux))
}

// setSnapshot decodes the resources and lets the library encode them again; fields that it does not know go along.
func (s *state) setSnapshot(r *http.Request) error {
	var wanted struct {
		Version   string   `json:"version"`
		Resources [][]byte `json:"resources"`
	}
	if err := json.NewDecoder(r.Body).Decode(&wanted); err != nil {
		return err
	}
	resources := []types.Resource{}
	for _, octets := range wanted.Resources {
		config := &ratelimit.RateLimitConfig{}
		if err := proto.Unmarshal(octets, config); err != nil {
			return err
		}
		resources = append(resources, config)
	}
	snapshot, err := cache.NewSnapshot(wanted.Version, map[resource.Type][]types.Resource{
		resource.RateLimitConfigType: resources,
	})
	if err != nil {
		return err
	}
	return s.cache.SetSnapshot(r.Context(), s.node, snapshot)
}
