import { createFileRegistry, type DescMessage, type FileRegistry, fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { descriptorSetBase64 } from '../gen/descriptor-set.ts';

/** The descriptors of all files of `proto/`. */
export type ProtoRegistry = FileRegistry;

/** Costs time and memory: made once, when the service starts. */
export function loadProtoRegistry(): ProtoRegistry {
  return createFileRegistry(fromBinary(FileDescriptorSetSchema, Buffer.from(descriptorSetBase64, 'base64')));
}

/** A message's descriptor by its full name. Throws when `proto/` has no such message. */
export function messageNamed(registry: ProtoRegistry, name: string): DescMessage {
  const message = registry.getMessage(name);
  if (message === undefined) throw new Error(`proto/ declares no message ${name}`);
  return message;
}
