/** Where Envoy Gateway mounts the certificates, and what it is given elsewhere in a test. */
export interface EnvoyGatewayPlaces {
  /** Folder with `tls.crt`, `tls.key` and `ca.crt`: `/certs` in the pod. */
  readonly certificates: string;
  /** Of the control plane: `envoy-gateway:18001`. */
  readonly controlPlane: string;
  readonly redis: string;
  /** Of metrics: 19001. */
  readonly metricsPort: number;
}

/** The environment that Envoy Gateway gives to its rate-limit service, with Redis and Prometheus, without tracing. */
export function envoyGatewayEnvironment(places: EnvoyGatewayPlaces): Record<string, string> {
  const { certificates, controlPlane, redis, metricsPort } = places;
  return {
    RUNTIME_ROOT: '/data',
    RUNTIME_SUBDIRECTORY: 'ratelimit',
    RUNTIME_IGNOREDOTFILES: 'true',
    RUNTIME_WATCH_ROOT: 'false',
    LOG_LEVEL: 'info',
    USE_STATSD: 'false',
    CONFIG_TYPE: 'GRPC_XDS_SOTW',
    CONFIG_GRPC_XDS_SERVER_URL: controlPlane,
    CONFIG_GRPC_XDS_NODE_ID: 'envoy-ratelimit',
    GRPC_SERVER_USE_TLS: 'true',
    GRPC_SERVER_TLS_CERT: `${certificates}/tls.crt`,
    GRPC_SERVER_TLS_KEY: `${certificates}/tls.key`,
    GRPC_SERVER_TLS_CA_CERT: `${certificates}/ca.crt`,
    CONFIG_GRPC_XDS_SERVER_USE_TLS: 'true',
    CONFIG_GRPC_XDS_CLIENT_TLS_CERT: `${certificates}/tls.crt`,
    CONFIG_GRPC_XDS_CLIENT_TLS_KEY: `${certificates}/tls.key`,
    CONFIG_GRPC_XDS_SERVER_TLS_CACERT: `${certificates}/ca.crt`,
    FORCE_START_WITHOUT_INITIAL_CONFIG: 'true',
    REDIS_SOCKET_TYPE: 'tcp',
    REDIS_URL: redis,
    USE_PROMETHEUS: 'true',
    PROMETHEUS_ADDR: `:${metricsPort}`,
    PROMETHEUS_MAPPER_YAML: '/etc/statsd-exporter/conf.yaml',
  };
}
