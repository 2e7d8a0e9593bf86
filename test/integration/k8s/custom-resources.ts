/**
 * `spec` of resources that Kubernetes itself does not have, as far as the chart and the examples use them: by the API pages
 * of cert-manager v1, of the Prometheus Operator (monitoring.coreos.com/v1) and of Istio (networking.istio.io/v1alpha3).
 */
const text = { type: 'string', minLength: 1 };
const texts = { type: 'object', additionalProperties: { type: 'string' } };
const duration = { type: 'string', pattern: '^([0-9]+(ms|s|m|h))+$' };

function record(properties: object, required: readonly string[] = []) {
  return { type: 'object', additionalProperties: false, properties, required };
}

function listOf(items: object) {
  return { type: 'array', minItems: 1, items };
}

const endpoints = listOf(
  record({ port: text, path: text, interval: duration, scrapeTimeout: duration }, ['port']),
);
const selector = record({ matchLabels: texts }, ['matchLabels']);

const alert = record(
  { alert: text, expr: text, for: duration, keep_firing_for: duration, labels: texts, annotations: texts },
  ['alert', 'expr'],
);
const recording = record({ record: text, expr: text, labels: texts }, ['record', 'expr']);

const routePatch = record(
  {
    applyTo: { enum: ['HTTP_FILTER', 'VIRTUAL_HOST', 'HTTP_ROUTE'] },
    match: record(
      {
        context: { enum: ['GATEWAY', 'SIDECAR_INBOUND'] },
        listener: { type: 'object' },
        routeConfiguration: { type: 'object' },
      },
      ['context'],
    ),
    patch: record({ operation: { enum: ['INSERT_BEFORE', 'MERGE'] }, value: { type: 'object' } }, [
      'operation',
      'value',
    ]),
  },
  ['applyTo', 'match', 'patch'],
);

/** By apiVersion and kind. */
export const customResources: Readonly<Record<string, object>> = {
  'cert-manager.io/v1/Certificate': record(
    {
      secretName: text,
      issuerRef: record({ name: text, kind: text, group: text }, ['name']),
      duration,
      renewBefore: duration,
      privateKey: record({
        algorithm: { enum: ['RSA', 'ECDSA', 'Ed25519'] },
        size: { enum: [256, 384, 521, 2048, 4096] },
        rotationPolicy: { enum: ['Always', 'Never'] },
      }),
      usages: listOf({ enum: ['digital signature', 'key encipherment', 'server auth', 'client auth'] }),
      dnsNames: listOf({
        type: 'string',
        pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
      }),
    },
    ['secretName', 'issuerRef', 'dnsNames'],
  ),
  'monitoring.coreos.com/v1/ServiceMonitor': record({ selector, endpoints }, ['selector', 'endpoints']),
  'monitoring.coreos.com/v1/PodMonitor': record({ selector, podMetricsEndpoints: endpoints }, [
    'selector',
    'podMetricsEndpoints',
  ]),
  'monitoring.coreos.com/v1/PrometheusRule': record(
    {
      groups: listOf(
        record(
          {
            name: text,
            interval: duration,
            limit: { type: 'integer' },
            labels: texts,
            rules: listOf({ anyOf: [alert, recording] }),
          },
          ['name', 'rules'],
        ),
      ),
    },
    ['groups'],
  ),
  'networking.istio.io/v1alpha3/EnvoyFilter': record(
    { workloadSelector: record({ labels: texts }, ['labels']), configPatches: listOf(routePatch) },
    ['configPatches'],
  ),
};
