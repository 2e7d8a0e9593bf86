import { createFileRegistry, type DescField, fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { expect, it } from 'vitest';
import { descriptorSetBase64 } from '../../gen/descriptor-set.ts';
import { keysOf, ownKeys } from '../../rules/parse/rules-language.ts';
import { configMessage, type ResourceMessage, unitWords } from './resource-fields.ts';

const registry = createFileRegistry(
  fromBinary(FileDescriptorSetSchema, Buffer.from(descriptorSetBase64, 'base64')),
);
const prefix = 'ratelimit.config.ratelimit.v3.';

/** Each message that can be in a resource, by its name in the proto. */
function messages(): Record<string, ResourceMessage> {
  const messageOf = (message: ResourceMessage, key: string) => {
    const field = [...message.fields.values()].find((one) => one.key === key);
    if (field === undefined || !('message' in field)) throw new Error(`no message in ${key}`);
    return field.message;
  };
  const descriptor = messageOf(configMessage, 'descriptors');
  const policy = messageOf(descriptor, 'rate_limit');
  return {
    RateLimitConfig: configMessage,
    RateLimitDescriptor: descriptor,
    Exemption: messageOf(configMessage, 'exemptions'),
    RateLimitPolicy: policy,
    Aggregate: messageOf(descriptor, 'aggregate'),
    RateLimitReplace: messageOf(policy, 'replaces'),
  };
}

function kindOf(field: DescField): string {
  if (field.fieldKind === 'enum') return 'unit';
  if (field.fieldKind === 'list') return field.listKind === 'message' ? 'messages' : 'repeated';
  if (field.fieldKind === 'message') {
    if (field.message.typeName === 'google.protobuf.Struct') return 'struct';
    return field.message.name === 'Clients' ? 'texts' : 'message';
  }
  return { bool: 'flag', uint32: 'count', string: 'text' }[
    field.proto.type === 8 ? 'bool' : field.proto.type === 13 ? 'uint32' : 'string'
  ];
}

it.each(Object.entries(messages()))('%s has the fields of the proto and no other', (name, { fields }) => {
  const declared = registry.getMessage(prefix + name)?.fields ?? [];
  expect(declared.length).toBeGreaterThan(0);
  const kinds = [...fields].map(([number, { key, kind }]) => [number, key, kind === 'name' ? 'text' : kind]);
  expect(kinds.sort(byNumber)).toEqual(
    declared.map((one) => [one.number, one.name, kindOf(one)]).sort(byNumber),
  );
});

it.each(Object.entries(messages()))('%s has every key of the language', (name, { place, fields }) => {
  const keys = [...fields.values()].filter(({ kind }) => kind !== 'name').map(({ key }) => key);
  expect(keys.sort(), name).toEqual([...keysOf[place]].sort());
});

it('keys that are no message of the reference have numbers of their own', () => {
  const missing = [...ownKeys, 'value_to_metric', 'share_threshold'];
  for (const { fields } of Object.values(messages())) {
    for (const [number, { key }] of fields) expect(number > 10_000, key).toBe(missing.includes(key));
  }
});

it('units have the numbers of the proto', () => {
  const values = registry.getEnum(`${prefix}RateLimitUnit`)?.values ?? [];
  expect(values.map(({ number, name }) => [number, name.toLowerCase()])).toEqual([...unitWords.entries()]);
});

function byNumber(a: readonly unknown[], b: readonly unknown[]): number {
  return Number(a[0]) - Number(b[0]);
}
