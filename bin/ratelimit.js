#!/usr/bin/env node
// The image's /bin/ratelimit, the path that deployments of envoyproxy/ratelimit start, without arguments: `weir serve`.
process.argv.splice(2, 0, 'serve');
await import('./weir.js');
