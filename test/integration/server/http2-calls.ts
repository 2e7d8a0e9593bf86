import http2 from 'node:http2';
import { shouldRateLimit } from '../../support/grpc-client.ts';

/** A call of ShouldRateLimit with a message as octets, of which there are less than 128. */
export function openCall(
  session: http2.ClientHttp2Session,
  message: string,
  headers: http2.OutgoingHttpHeaders = {},
): http2.ClientHttp2Stream {
  const stream = session.request({
    ...headers,
    ':method': 'POST',
    ':path': shouldRateLimit.path,
    'content-type': 'application/grpc',
    te: 'trailers',
  });
  stream.on('error', () => {});
  stream.end(Buffer.from(`\0\0\0\0${String.fromCharCode(message.length)}${message}`, 'latin1'));
  return stream;
}

/** As Envoy does it: with INTERNAL_ERROR. */
export function resetAsEnvoy(stream: http2.ClientHttp2Stream): Promise<void> {
  return new Promise((resolve) => {
    stream.once('close', resolve);
    stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR);
  });
}

export function headerOf(stream: http2.ClientHttp2Stream, name: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    stream.once('response', (headers) => resolve(headers[name]));
    stream.once('close', () => reject(new Error('the call ended without headers')));
    stream.resume();
  });
}

export function trailerOf(stream: http2.ClientHttp2Stream, name: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    stream.once('trailers', (headers) => resolve(headers[name]));
    stream.once('close', () => reject(new Error('the call ended without trailers')));
    stream.resume();
  });
}
