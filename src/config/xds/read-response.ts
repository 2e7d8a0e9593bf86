import { createHash } from 'node:crypto';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { DiscoveryResponse } from '../../gen/envoy/service/discovery/v3/discovery.ts';
import type { ParseResult } from '../../rules/parse/parse-result.ts';
import { parseTree } from '../../rules/parse/parse-tree.ts';
import { shorten } from '../../rules/parse/shorten.ts';
import { readResourceTree } from './resource-tree.ts';
import { resourceType } from './resource-type.ts';

/** What a DiscoveryResponse says apart from its resources. */
export interface ResponseHead {
  /** The server's. */
  readonly versionInfo: string;
  readonly nonce: string;
  readonly typeUrl: string;
  /** Of the resources: the same for the same ones, whatever their order and whatever the server calls it. */
  readonly contentVersion: string;
}

export interface Resource {
  /** `resource 'name'`, for issues. */
  readonly file: string;
  readonly typeUrl: string;
  readonly octets: Uint8Array;
  readonly digest: string;
}

export interface ResponseContent {
  readonly head: ResponseHead;
  /** Sorted by name, so that the order in which they are sent makes no difference. */
  readonly resources: readonly Resource[];
}

/** Reads an `envoy.service.discovery.v3.DiscoveryResponse`. Throws when it is none. */
export function readResponse(message: Uint8Array): ResponseContent {
  const { versionInfo, nonce, typeUrl, resources: sent } = DiscoveryResponse.decode(message);
  const resources = sent.map(({ typeUrl, value }, index) => ({
    file: `resource '${shorten(nameOf(value)) || index}'`,
    typeUrl,
    octets: value,
    digest: createHash('sha256').update(`${typeUrl}\0`).update(value).digest('hex'),
  }));
  resources.sort((a, b) => compare(a.file, b.file) || compare(a.digest, b.digest));
  const content = createHash('sha256');
  for (const digest of resources.map((one) => one.digest).sort()) content.update(digest);
  const contentVersion = content.digest('hex').slice(0, 32);
  return { head: { versionInfo, nonce, typeUrl, contentVersion }, resources };
}

/** The rules in a resource, or all that is wrong with them. */
export function parseResource({ file, typeUrl, octets }: Resource): ParseResult {
  if (typeUrl === resourceType) return parseTree(file, readResourceTree(octets));
  const message = `its type is '${shorten(typeUrl)}', not ${resourceType}`;
  const place = { file, line: 0, column: 0, path: '' };
  return {
    document: undefined,
    issues: [{ severity: 'error', code: 'wrong-resource-type', ...place, message }],
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** `RateLimitConfig.name`; empty where there is none. Of broken octets as far as they go: what is wrong is found later. */
function nameOf(resource: Uint8Array): string {
  const reader = new BinaryReader(resource);
  let name = '';
  try {
    while (reader.pos < reader.len) {
      const [number, wireType] = reader.tag();
      if (number === 1 && wireType === 2) name = reader.string();
      else reader.skip(wireType, number);
    }
  } catch {
    return name;
  }
  return name;
}
