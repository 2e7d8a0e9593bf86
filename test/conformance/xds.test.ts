import { basename } from 'node:path';
import { afterAll, describe } from 'vitest';
import { readRulesDirectory } from '../../src/config/read-directory.ts';
import { type AdsServer, startAdsServer } from '../support/ads-server.ts';
import { resourceOfDocument } from '../support/resource-of-document.ts';
import { describeProfiles } from './profile-suite.ts';

/** C10: what was recorded with rules in files holds for the same rules from a control plane, metrics and `/rlconfig` included. */
describe('conformance of rules over xDS', () => {
  const servers: AdsServer[] = [];
  afterAll(() => Promise.all(servers.map((server) => server.stop())));

  describeProfiles(async ({ rulesDirectory, env }) => {
    const ignoreDotFiles = env['RUNTIME_IGNOREDOTFILES'] !== 'false';
    const { documents } = await readRulesDirectory(rulesDirectory, { ignoreDotFiles });
    const server = await startAdsServer();
    servers.push(server);
    server.set(
      '1',
      documents.map((document) => resourceOfDocument(document, basename(document.file))),
    );
    return {
      env: {
        BACKEND_TYPE: 'memory',
        CONFIG_TYPE: 'GRPC_XDS_SOTW',
        CONFIG_GRPC_XDS_SERVER_URL: server.address,
      },
    };
  });
});
