import type { DomainOptions } from '../rules-document.ts';
import type { YamlNode } from '../yaml/yaml-node.ts';
import { parseFailurePolicy } from './parse-failure-policy.ts';
import type { Fields } from './parse-fields.ts';
import { parseBoolean, parseText } from './parse-values.ts';
import type { Reading } from './reading.ts';

/** What a file says of its whole domain. */
export function parseDomainOptions(reading: Reading, fields: Fields): DomainOptions {
  return {
    failurePolicy: parseFailurePolicy(reading, fields.get('failure_policy')),
    refunds: parseSwitch(reading, fields.get('refunds'), 'refunds'),
    sensitive: parseSwitch(reading, fields.get('sensitive'), 'sensitive'),
    clients: parseClients(reading, fields.get('clients')),
  };
}

/** undefined where nothing is said. */
function parseSwitch(reading: Reading, node: YamlNode | undefined, name: string): boolean | undefined {
  return node === undefined ? undefined : parseBoolean(reading, node, name);
}

/** An empty list lets nobody in. Nothing at all after the colon is no list: it must not open what somebody meant to close. */
function parseClients(reading: Reading, node: YamlNode | undefined): readonly string[] | undefined {
  if (node === undefined) return undefined;
  const content = reading.walk.enter(node);
  if (content === undefined) return undefined;
  let clients: string[] | undefined;
  if (content.kind === 'sequence') {
    clients = [];
    for (const item of content.items) {
      const client = parseText(reading, item, 'clients');
      if (client === '') reading.report('error', 'empty-client', item, 'a client needs a name');
      else if (client !== undefined) clients.push(client);
    }
  } else {
    const message =
      "'clients' is a list of names from client certificates, such as [spiffe://cluster/ns/shop]";
    reading.report('error', 'wrong-type', node, message);
  }
  reading.walk.leave(node);
  return clients;
}
