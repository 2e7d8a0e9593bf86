/**
 * Which folder may import which: the table of docs/architecture.md, enforced. Type imports count.
 * @type {import('dependency-cruiser').IConfiguration}
 */
const allowed = {
  domain: [],
  algorithm: ['domain'],
  rules: ['domain'],
  store: ['domain', 'algorithm'],
  limiter: ['domain', 'rules', 'store/counter-store', 'store/store-error'],
  config: ['domain', 'rules', 'gen', 'grpc-client', 'log'],
  'grpc-client': [],
  transport: [],
  server: ['domain', 'transport', 'gen', 'health', 'log', 'log-sampler'],
  telemetry: [
    'domain',
    'rules',
    'limiter/decision-event',
    'store/counter-store',
    'store/store-error',
    'store/redis/store-event',
    'config/config-source',
    'log',
    'log-sampler',
  ],
  settings: ['domain', 'server/http/token-syntax', 'store/redis/redis-url', 'transport/transport-limits'],
  gen: [],
  simulate: ['domain', 'rules', 'limiter', 'store/memory-store', 'telemetry/printable'],
  cli: [
    'domain',
    'rules',
    'config',
    'limiter',
    'store',
    'settings',
    'log',
    'gen',
    'grpc-client',
    'app',
    'health',
    'simulate',
  ],
};

const folders = Object.entries(allowed).map(([folder, others]) => ({
  name: `${folder}-imports`,
  comment: `src/${folder} may import ${others.length === 0 ? 'nothing' : others.join(', ')}`,
  severity: 'error',
  from: { path: `^src/${folder}/`, pathNot: '\\.test\\.ts$' },
  to: { path: '^src/', pathNot: [folder, ...others].map((other) => `^src/${other}[/.]`) },
}));

/** A library belongs to the folder that translates it. */
const libraries = {
  ioredis: '^src/store/redis/',
  'prom-client': '^src/telemetry/',
  'hot-shots': '^src/telemetry/statsd/',
  '@opentelemetry': '^src/telemetry/tracing/',
  pino: '^src/log\\.ts$',
  fastify: '^src/server/http/',
  '@grpc/grpc-js': '^src/(server/grpc/|grpc-client/|config/(xds|etcd)/|cli/|telemetry/tracing/)',
  '@bufbuild/protobuf': '^src/(server|gen|config/(xds|etcd))/',
  yaml: '^src/rules/',
  'ipaddr.js': '^src/rules/networks/',
  commander: '^src/cli/',
};

module.exports = {
  forbidden: [
    ...folders,
    ...Object.entries(libraries).map(([library, home]) => ({
      name: `${library.replaceAll(/[^a-z]/g, '-')}-belongs`,
      comment: `${library} is used in ${home} only`,
      severity: 'error',
      from: { path: '^src/', pathNot: [home, '\\.test\\.ts$'] },
      to: { path: `(^|/)node_modules/${library}/` },
    })),
    {
      name: 'no-cycles',
      comment: 'Two files that need each other are one thing, or one thing too many.',
      severity: 'error',
      from: { path: '^src/' },
      to: { circular: true },
    },
    {
      name: 'app-is-the-top',
      comment: 'Only the serve command composes the application.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(cli/serve|app/)' },
      to: { path: '^src/app/' },
    },
    {
      name: 'no-unresolved',
      severity: 'error',
      from: { path: '^src/' },
      to: { couldNotResolve: true },
    },
    {
      name: 'no-development-dependencies',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      extensions: ['.ts', '.js', '.json'],
      conditionNames: ['import', 'node', 'types'],
    },
  },
};
