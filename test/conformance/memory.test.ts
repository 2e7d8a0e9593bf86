import { describe } from 'vitest';
import { describeProfiles } from './profile-suite.ts';

describe('conformance on the memory store', () => {
  describeProfiles(async () => ({ env: { BACKEND_TYPE: 'memory' } }));
});
