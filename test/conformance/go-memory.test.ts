import { describeWithTools } from '../support/describe-with-tools.ts';
import { replayProfiles } from './go-replay.ts';

describeWithTools(['replay'], 'conformance by the Go client on the memory store', () => {
  replayProfiles(async () => ({ env: { BACKEND_TYPE: 'memory' } }));
});
