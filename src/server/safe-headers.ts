import type { Decision, Header } from '../domain/decision.ts';

/** RFC 9110, 5.6.2: token. It rules out `:status` and the like, with which Envoy would break the response. */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** No control characters: Envoy writes a value as it is, and CR LF would begin another header (RFC 9110, 5.5). */
const fieldValue = /^\P{Cc}*$/u;

/** Whether it can be written into a response as it is. */
export function isSafe(header: Header): boolean {
  return token.test(header.name) && fieldValue.test(header.value);
}

/**
 * The headers of a decision for the response to the client. Configured names and texts are checked when they are loaded;
 * should one slip through, it is left out here rather than sent. The denial body brings its content type: without one
 * Envoy says text/plain.
 */
export function responseHeadersOf(decision: Decision): readonly Header[] {
  const { responseHeaders, denialBody } = decision;
  const headers = responseHeaders.every(isSafe) ? responseHeaders : responseHeaders.filter(isSafe);
  if (denialBody === undefined || !fieldValue.test(denialBody.contentType)) return headers;
  return [...headers, { name: 'content-type', value: denialBody.contentType }];
}
