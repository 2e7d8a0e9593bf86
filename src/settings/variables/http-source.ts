import { hidden } from '../secret.ts';
import { duration, headerName, list, text } from '../value-type.ts';
import { honoured, type Variable } from '../variable.ts';
import { secretFile, secretHeaders, secretToken, tlsFile } from './secret-variables.ts';

/** A query may be a signature, and what is before the host a password. */
const urls: Variable<readonly string[]> = {
  ...honoured(list, [], 'HTTP: URLs of files with rules, parted by commas; each is one file. At most 16.', {
    reason: 'Agents such as that of AWS AppConfig, object stores and web servers have rules, too.',
  }),
  show: (value) =>
    value
      .map((url) => url.replace(/^(\w+:\/\/)[^/?#]*@/, `$1${hidden}@`).replace(/[?#].*$/, `?${hidden}`))
      .join(','),
  secret: true,
};

/** Rules from URLs. */
export const httpSourceVariables = {
  CONFIG_HTTP_URLS: urls,
  CONFIG_HTTP_POLL_INTERVAL: honoured(
    duration({ positive: true }),
    30_000,
    'HTTP: time between two looks. It is off by up to a tenth at random.',
    { reason: 'HTTP tells nobody that something has changed. An ETag makes a look cheap.' },
  ),
  CONFIG_HTTP_TOKEN: secretToken(
    'HTTP: what is sent as `Authorization: Bearer ...`.',
    'CONFIG_HTTP_TOKEN_FILE can be changed without a restart.',
  ),
  CONFIG_HTTP_TOKEN_FILE: secretFile('HTTP: file that holds that token, read again for each request.'),
  CONFIG_HTTP_HEADERS: secretHeaders(
    'HTTP: headers for the server, as name:value,name:value; values are never printed.',
    'For servers that want something else than a token.',
  ),
  CONFIG_HTTP_CHECKSUM_HEADER: honoured(
    headerName,
    '',
    'HTTP: header with the SHA-256 of a file, in hexadecimal or in base64, such as `x-amz-checksum-sha256`. A file without it, or with another, is not taken.',
    { reason: 'A file that was cut on its way may still be YAML.' },
  ),
  CONFIG_HTTP_CHECKSUM_SUFFIX: honoured(
    text,
    '',
    'HTTP: what the path of a file ends in more for the file with its SHA-256, as `sha256sum` writes it, such as `.sha256`.',
    { reason: 'The same, for servers without such a header.' },
  ),
  CONFIG_HTTP_TLS_CACERT: tlsFile('authority', 'the server of the URLs'),
  CONFIG_HTTP_TLS_CLIENT_CERT: tlsFile('certificate', 'the server of the URLs'),
  CONFIG_HTTP_TLS_CLIENT_KEY: tlsFile('key', 'the server of the URLs'),
};
