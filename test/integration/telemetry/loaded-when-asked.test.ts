import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

/** The packages that are loaded with modules of `src/`, by a process of its own. */
function loadedWith(...modules: readonly string[]): string[] {
  const program = `
    import { registerHooks } from 'node:module';
    const packages = new Set();
    registerHooks({
      load(url, context, next) {
        const found = url.split('/node_modules/').at(-1).match(/^(@[^/]+\\/[^/]+|[^/:]+)\\//);
        if (url.includes('/node_modules/') && found !== null) packages.add(found[1]);
        return next(url, context);
      },
    });
    for (const module of ${JSON.stringify(modules)}) await import(module);
    console.log(JSON.stringify([...packages]));
    process.exit();
  `;
  const cwd = fileURLToPath(new URL('../../../', import.meta.url));
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '--eval', program], { cwd, encoding: 'utf8' }),
  );
}

/** prom-client brings the words of OpenTelemetry, which send nothing. */
const senders = (packages: readonly string[]) =>
  packages.filter((name) => /^(hot-shots|@opentelemetry\/(?!api$).*)$/.test(name));

describe('what sends metrics and traces', () => {
  it('is not loaded with the application', () => {
    const packages = loadedWith('./src/app/app.ts');
    expect(packages).toContain('prom-client');
    expect(senders(packages)).toEqual([]);
  });

  it.each([
    ['./src/telemetry/statsd/statsd-sink.ts', 'hot-shots'],
    ['./src/telemetry/tracing/start-tracing.ts', '@opentelemetry/sdk-trace'],
  ])('is loaded by %s', (module, name) => {
    expect(senders(loadedWith(module))).toContain(name);
  });
});
