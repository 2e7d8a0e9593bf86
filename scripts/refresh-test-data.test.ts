import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { outdatedTestData, sharedDataDirectory } from './refresh-test-data.ts';

// Where the data are not beside the repository, as in most clones, there is nothing to compare and no test.
if (existsSync(sharedDataDirectory)) {
  it('the copies of the test data are current', () => {
    expect(outdatedTestData(sharedDataDirectory)).toEqual([]);
  });
} else {
  it('a source that is not there makes every copy outdated', () => {
    expect(outdatedTestData(sharedDataDirectory)).toContain('test/conformance/data/README.md');
  });
}
