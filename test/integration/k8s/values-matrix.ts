const redis = { url: 'redis.data.svc:6379' };
const withRedis = { store: 'redis', redis };
const rules = { 'api.yaml': 'domain: api\n' };

/** Values that must render, by what they are for. */
export const valuesMatrix: Readonly<Record<string, object>> = {
  defaults: {},
  'memory, with rules': { config: { rules } },
  Redis: withRedis,
  'Redis, one replica': { ...withRedis, replicas: 1 },
  'Redis by secret': { store: 'redis', redis: { urlSecret: { name: 'redis', key: 'address' } } },
  'Redis with a password': {
    ...withRedis,
    redis: { ...redis, auth: { existingSecret: 'redis', key: 'pass' } },
  },
  Sentinel: {
    store: 'redis',
    redis: {
      type: 'sentinel',
      url: 'main,sentinel-0:26379,sentinel-1:26379',
      auth: { existingSecret: 'redis', sentinelKey: 'sentinel' },
    },
  },
  'Cluster, TLS': {
    store: 'redis',
    redis: { type: 'cluster', url: 'a:6379,b:6379', tls: { enabled: true } },
  },
  'Redis, mutual TLS': {
    ...withRedis,
    redis: { ...redis, tls: { enabled: true, existingSecret: 'redis-tls', clientCertificate: true } },
  },
  'a Redis for limits per second': {
    ...withRedis,
    redis: {
      ...redis,
      perSecond: { enabled: true, type: 'cluster', url: 'c:6379', auth: { existingSecret: 'second' } },
    },
  },
  autoscaling: {
    ...withRedis,
    autoscaling: {
      enabled: true,
      maxReplicas: 5,
      behavior: { scaleDown: { stabilizationWindowSeconds: 600 } },
    },
  },
  'existing ConfigMap': { config: { existingConfigMap: 'team-rules', mergeDomains: true } },
  xDS: { ...withRedis, config: { xds: { enabled: true, serverUrl: 'control.plane.svc:18001' } } },
  'xDS, mutual TLS': {
    config: {
      xds: {
        enabled: true,
        serverUrl: 'control:18001',
        nodeId: 'ratelimit',
        nodeMetadata: { region: 'eu', tier: 'gold' },
        tls: { enabled: true, existingSecret: 'xds', clientCertificate: true, serverName: 'control.test' },
      },
    },
  },
  'TLS by secret': { grpc: { tls: { enabled: true, existingSecret: 'weir-tls' } } },
  'mutual TLS by cert-manager': {
    service: { headless: true },
    grpc: {
      tls: {
        enabled: true,
        certManager: { enabled: true, issuerRef: { name: 'internal', kind: 'ClusterIssuer' } },
        clientCertificates: { required: true, dnsName: 'envoy.test' },
      },
    },
  },
  'mutual TLS with an authority of its own': {
    grpc: {
      tls: {
        enabled: true,
        existingSecret: 'weir-tls',
        clientCertificates: { required: true, caSecret: 'callers', caKey: 'bundle.pem' },
      },
    },
  },
  'NetworkPolicy, with Redis': {
    ...withRedis,
    networkPolicy: {
      enabled: true,
      callers: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'envoy' } } }],
      scrapers: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }],
      redis: { peers: [{ ipBlock: { cidr: '10.0.0.0/16' } }], ports: [6379, 26379] },
      extraEgress: [{ ports: [{ protocol: 'TCP', port: 4317 }] }],
    },
  },
  'NetworkPolicy, with memory': { networkPolicy: { enabled: true } },
  ServiceMonitor: { serviceMonitor: { enabled: true, interval: '15s', labels: { release: 'prometheus' } } },
  PodMonitor: { podMonitor: { enabled: true, interval: '15s', scrapeTimeout: '10s' } },
  'alerts and dashboards': { prometheusRule: { enabled: true }, dashboards: { enabled: true } },
  nameOverride: { nameOverride: 'limits' },
  fullnameOverride: { fullnameOverride: 'ratelimit', service: { headless: true, type: 'LoadBalancer' } },
  'no service account': { serviceAccount: { create: false } },
  'no budget, no spread': {
    ...withRedis,
    podDisruptionBudget: { enabled: false },
    topologySpreadConstraints: [],
  },
  'IPv6, other ports': { listenAddress: '::', ports: { grpc: 9081, http: 9080, debug: 9070 } },
  'longer drain': { drain: { delaySeconds: 20, deadlineSeconds: 60 } },
  'own grace': { terminationGracePeriodSeconds: 300 },
  'everything that is added': {
    commonLabels: { team: 'platform' },
    commonAnnotations: { note: 'ours' },
    podLabels: { 'sidecar.istio.io/inject': 'false' },
    podAnnotations: { 'prometheus.io/scrape': 'true' },
    imagePullSecrets: [{ name: 'registry' }],
    image: { repository: 'registry.test/weir', digest: `sha256:${'0'.repeat(64)}`, pullPolicy: 'Always' },
    settings: { NEAR_LIMIT_RATIO: '0.9', MAX_MESSAGE_SIZE: '1048576' },
    extraEnv: [{ name: 'DEBUG_TOKEN', valueFrom: { secretKeyRef: { name: 'debug', key: 'token' } } }],
    extraEnvFrom: [{ configMapRef: { name: 'more' } }],
    extraVolumes: [{ name: 'more', emptyDir: {} }],
    extraVolumeMounts: [{ name: 'more', mountPath: '/more' }],
    priorityClassName: 'important',
    nodeSelector: { 'kubernetes.io/arch': 'arm64' },
    tolerations: [{ key: 'dedicated', operator: 'Exists' }],
    affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } },
  },
  sidecar: { form: 'sidecar' },
};
