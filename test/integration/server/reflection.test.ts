import { fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import { startGrpcEdge } from './start-edges.ts';
import { openStream } from './stream-call.ts';

interface Reply {
  readonly originalRequest: object;
  readonly fileDescriptorResponse?: { readonly fileDescriptorProto: Buffer[] };
  readonly errorResponse?: { readonly errorCode: number; readonly errorMessage: string };
  readonly listServicesResponse?: { readonly service: { readonly name: string }[] };
  readonly allExtensionNumbersResponse?: { readonly baseTypeName: string };
}

/** Asks each question on one call, in turn. */
async function ask(version: string, ...questions: object[]): Promise<Reply[]> {
  const edge = await startGrpcEdge();
  const call = openStream(
    edge.address,
    `grpc.reflection.${version}.ServerReflection`,
    'ServerReflectionInfo',
  );
  for (const [index, question] of questions.entries()) {
    call.send(question);
    await call.message(index + 1);
  }
  call.end();
  await expect(call.ended).resolves.toMatchObject({ status: 'OK' });
  return call.messages as Reply[];
}

function filesOf(reply: Reply | undefined): string[] {
  const files = reply?.fileDescriptorResponse?.fileDescriptorProto ?? [];
  return files.map((octets) => fromBinary(FileDescriptorProtoSchema, octets).name);
}

const rlsFile = 'envoy/service/ratelimit/v3/rls.proto';

describe.each(['v1', 'v1alpha'])('reflection %s', (version) => {
  it('names all services', async () => {
    const [reply] = await ask(version, { listServices: '*' });
    expect(reply?.listServicesResponse?.service.map(({ name }) => name).sort()).toEqual([
      'envoy.service.ratelimit.v3.RateLimitService',
      'grpc.health.v1.Health',
      'grpc.reflection.v1.ServerReflection',
      'grpc.reflection.v1alpha.ServerReflection',
    ]);
  });

  it('gives a file with all that it imports, the file first', async () => {
    const [byName, bySymbol] = await ask(
      version,
      { fileByFilename: rlsFile },
      { fileContainingSymbol: 'envoy.service.ratelimit.v3.RateLimitService' },
    );
    expect(filesOf(byName)[0]).toBe(rlsFile);
    expect(filesOf(byName).sort()).toEqual([
      'envoy/config/core/v3/base.proto',
      'envoy/extensions/common/ratelimit/v3/ratelimit.proto',
      rlsFile,
      'envoy/type/v3/ratelimit_unit.proto',
      'google/protobuf/duration.proto',
      'google/protobuf/struct.proto',
      'google/protobuf/timestamp.proto',
      'google/protobuf/wrappers.proto',
    ]);
    expect(filesOf(bySymbol)).toEqual(expect.arrayContaining(filesOf(byName)));
    expect(bySymbol?.originalRequest).toMatchObject({
      fileContainingSymbol: 'envoy.service.ratelimit.v3.RateLimitService',
    });
  });

  it.each([
    ['envoy.service.ratelimit.v3.RateLimitService.ShouldRateLimit', rlsFile],
    ['envoy.service.ratelimit.v3.RateLimitResponse.RateLimit.Unit', rlsFile],
    ['envoy.service.ratelimit.v3.RateLimitRequest.domain', rlsFile],
    ['envoy.type.v3.RateLimitUnit', 'envoy/type/v3/ratelimit_unit.proto'],
    ['grpc.health.v1.HealthCheckResponse.ServingStatus', 'grpc/health/v1/health.proto'],
    ['google.protobuf.UInt64Value', 'google/protobuf/wrappers.proto'],
  ])('finds %s', async (fileContainingSymbol, file) => {
    const [reply] = await ask(version, { fileContainingSymbol });
    expect(filesOf(reply)[0]).toBe(file);
  });

  it.each([
    [{ fileByFilename: 'no/such.proto' }, 5],
    [{ fileContainingSymbol: 'no.such.Symbol' }, 5],
    [{ allExtensionNumbersOfType: 'no.such.Message' }, 5],
    [
      {
        fileContainingExtension: { containingType: 'grpc.health.v1.HealthCheckRequest', extensionNumber: 9 },
      },
      5,
    ],
    [{}, 3],
  ])('%j is answered with error %i, and the call goes on', async (question, errorCode) => {
    const [refused, answered] = await ask(version, question, { listServices: '' });
    expect(refused?.errorResponse?.errorCode).toBe(errorCode);
    expect(answered?.listServicesResponse?.service).toHaveLength(4);
  });

  it('says that a message has no extensions', async () => {
    const [reply] = await ask(version, { allExtensionNumbersOfType: 'grpc.health.v1.HealthCheckRequest' });
    expect(reply?.allExtensionNumbersResponse).toMatchObject({
      baseTypeName: 'grpc.health.v1.HealthCheckRequest',
    });
  });
});
