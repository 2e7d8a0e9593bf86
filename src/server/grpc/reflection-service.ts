import { type DescFile, type DescMessage, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import {
  ServerReflectionRequest,
  ServerReflectionResponse,
} from '../../gen/grpc/reflection/v1/reflection.ts';
import { grpcCodes } from '../../transport/grpc-status.ts';
import type { ProtoRegistry } from '../proto-registry.ts';
import { generatedCodec } from './generated-codec.ts';
import type { StreamMethod } from './grpc-method.ts';

type Reflection = StreamMethod<ServerReflectionRequest, ServerReflectionResponse>;
type Question = NonNullable<ServerReflectionRequest['messageRequest']>;
type Reply = NonNullable<ServerReflectionResponse['messageResponse']>;

/**
 * gRPC server reflection, v1 and v1alpha (the same messages under an older name): what grpcurl and its like ask before they
 * can call. It describes all files of the registry.
 */
export function createReflectionService(registry: ProtoRegistry): readonly [Reflection, Reflection] {
  const reply = createReplies(registry);
  const method = {
    ...generatedCodec(ServerReflectionRequest, ServerReflectionResponse),
    requestStream: true,
    responseStream: true,
    async *handle(
      requests: AsyncIterable<ServerReflectionRequest>,
    ): AsyncGenerator<ServerReflectionResponse> {
      for await (const originalRequest of requests) {
        const messageResponse = reply(originalRequest.messageRequest);
        yield { validHost: originalRequest.host, originalRequest, messageResponse };
      }
    },
  } as const;
  return [
    { ...method, path: '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo' },
    { ...method, path: '/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo' },
  ];
}

function createReplies(registry: ProtoRegistry): (question: Question | undefined) => Reply {
  const files = [...registry.files];
  const fileOfName = new Map(files.map((file) => [file.proto.name, file]));
  const fileOfSymbol = new Map(
    files.flatMap((file) => symbolsOf(file).map((symbol) => [symbol, file] as const)),
  );
  const services = files.flatMap((file) => file.services.map(({ typeName }) => ({ name: typeName })));

  return (question) => {
    switch (question?.$case) {
      case 'listServices':
        return { $case: 'listServicesResponse', value: { service: services } };
      case 'fileByFilename':
        return fileReply(fileOfName.get(question.value), question.value);
      case 'fileContainingSymbol':
        return fileReply(fileOfSymbol.get(question.value), question.value);
      case 'fileContainingExtension':
        // proto3 has no extensions.
        return error('NOT_FOUND', `${question.value.containingType} has no extensions`);
      case 'allExtensionNumbersOfType':
        if (registry.getMessage(question.value) === undefined) return notFound(question.value);
        return {
          $case: 'allExtensionNumbersResponse',
          value: { baseTypeName: question.value, extensionNumber: [] },
        };
      case undefined:
        return error('INVALID_ARGUMENT', 'the request asks nothing');
    }
  };
}

/** Full names that a file declares: messages, their fields, enums, services and their methods. */
function symbolsOf(file: DescFile): string[] {
  const ofMessage = (message: DescMessage): string[] => [
    message.typeName,
    ...message.fields.map((field) => `${message.typeName}.${field.name}`),
    ...message.nestedEnums.map(({ typeName }) => typeName),
    ...message.nestedMessages.flatMap(ofMessage),
  ];
  return [
    ...file.messages.flatMap(ofMessage),
    ...file.enums.map(({ typeName }) => typeName),
    ...file.services.flatMap(({ typeName, methods }) => [
      typeName,
      ...methods.map((method) => `${typeName}.${method.name}`),
    ]),
  ];
}

/** A file with all that it imports, each once: clients cannot build a file without its imports. */
function fileReply(file: DescFile | undefined, asked: string): Reply {
  if (file === undefined) return notFound(asked);
  const found = new Set<DescFile>();
  const add = (each: DescFile): void => {
    if (found.has(each)) return;
    found.add(each);
    each.dependencies.forEach(add);
  };
  add(file);
  const fileDescriptorProto = [...found].map((each) => toBinary(FileDescriptorProtoSchema, each.proto));
  return { $case: 'fileDescriptorResponse', value: { fileDescriptorProto } };
}

function notFound(asked: string): Reply {
  return error('NOT_FOUND', `${asked} is not known`);
}

function error(code: 'NOT_FOUND' | 'INVALID_ARGUMENT', errorMessage: string): Reply {
  return { $case: 'errorResponse', value: { errorCode: grpcCodes[code], errorMessage } };
}
