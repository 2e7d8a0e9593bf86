import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { it } from 'vitest';
import { describeWithTools } from '../support/describe-with-tools.ts';
import { compileCache } from '../support/tools.ts';
import { expectReplayToPass } from './go-replay.ts';
import { dataDirectory } from './scenario.ts';

const weir = fileURLToPath(new URL('../../bin/weir.js', import.meta.url));

describeWithTools(['replay'], 'verdicts on configurations by the Go client', () => {
  // Each case is a process of its own: 224 starts.
  it('`weir check` exits as the data say, in bounded time and memory', { timeout: 280_000 }, async () => {
    const command = `MERGE_DOMAIN_CONFIG={merge} '${process.execPath}' '${weir}' check {dir}`;
    await expectReplayToPass(
      ['load', '--cmd', command, '--dir', join(dataDirectory, 'config-load')],
      compileCache,
    );
  });
});
