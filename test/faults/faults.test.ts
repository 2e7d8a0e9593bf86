import { expect, it } from 'vitest';
import { describeWithTools } from '../support/describe-with-tools.ts';
import { allFaults } from './all-faults.ts';

/** FAULTS leaves out those whose ids do not match. */
const only = new RegExp(process.env['FAULTS'] ?? '');

for (const fault of allFaults.filter(({ id }) => only.test(id))) {
  describeWithTools(fault.tools, fault.id, () => {
    it(`${fault.id}: ${fault.title}`, async () => {
      expect((await fault.run()).broken).toEqual([]);
    });
  });
}
