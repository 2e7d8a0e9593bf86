/** A name and its value, one character per octet. */
export type HeaderField = readonly [name: string, value: string];

const withValues: readonly HeaderField[] = [
  [':authority', ''],
  [':method', 'GET'],
  [':method', 'POST'],
  [':path', '/'],
  [':path', '/index.html'],
  [':scheme', 'http'],
  [':scheme', 'https'],
  [':status', '200'],
  [':status', '204'],
  [':status', '206'],
  [':status', '304'],
  [':status', '400'],
  [':status', '404'],
  [':status', '500'],
  ['accept-charset', ''],
  ['accept-encoding', 'gzip, deflate'],
];

const namesAlone = `
  accept-language accept-ranges accept access-control-allow-origin age allow authorization cache-control
  content-disposition content-encoding content-language content-length content-location content-range
  content-type cookie date etag expect expires from host if-match if-modified-since if-none-match if-range
  if-unmodified-since last-modified link location max-forwards proxy-authenticate proxy-authorization
  range referer refresh retry-after server set-cookie strict-transport-security transfer-encoding
  user-agent vary via www-authenticate`;

/** The fields that every connection knows: RFC 7541, Appendix A. Its indices begin at 1, those of this array at 0. */
export const staticTable: readonly HeaderField[] = Object.freeze([
  ...withValues,
  ...namesAlone
    .trim()
    .split(/\s+/)
    .map((name): HeaderField => [name, '']),
]);
