import { expect, it } from 'vitest';
import { describeWithTools } from '../support/describe-with-tools.ts';
import { allFaults } from './all-faults.ts';

for (const fault of allFaults) {
  describeWithTools(fault.tools, fault.id, () => {
    it(`${fault.id}: ${fault.title}`, async () => {
      expect((await fault.run()).broken).toEqual([]);
    });
  });
}
