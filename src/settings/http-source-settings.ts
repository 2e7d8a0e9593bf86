import type { Checks } from './checks.ts';
import { isSource, secretHeadersOf, sourceTls, warnOfClearText } from './remote-settings.ts';
import { createSecret } from './secret.ts';
import { secretSource } from './secret-source.ts';
import type { HttpSourceSettings } from './source-settings.ts';

/** All of them are asked at once, and held in memory. */
const maxUrls = 16;

/** undefined: no rules come from URLs. */
export function httpSourceSettings(checks: Checks): HttpSourceSettings | undefined {
  if (!isSource(checks, 'http', 'HTTP', 'CONFIG_HTTP_')) return undefined;
  const urls = urlsOf(checks);
  const token = secretSource(checks, 'CONFIG_HTTP_TOKEN');
  const headers = secretHeadersOf(checks, 'CONFIG_HTTP_HEADERS');
  const isAuthorized = headers.some(([name]) => name === 'authorization');
  if (isAuthorized) warnOfClearText(checks, 'CONFIG_HTTP_HEADERS', urls);
  if (token !== undefined && isAuthorized) {
    checks.fail('CONFIG_HTTP_HEADERS', 'contradicts CONFIG_HTTP_TOKEN: both are the header authorization.');
  }
  if (token !== undefined) {
    warnOfClearText(checks, token.kind === 'file' ? 'CONFIG_HTTP_TOKEN_FILE' : 'CONFIG_HTTP_TOKEN', urls);
  }
  return {
    urls: urls.map(({ href }) => createSecret(href)),
    pollIntervalMs: checks.values.CONFIG_HTTP_POLL_INTERVAL,
    token,
    headers,
    checksum: checksumOf(checks),
    tls: sourceTls(checks, 'CONFIG_HTTP_TLS_', urls),
  };
}

function urlsOf({ values, fail }: Checks): URL[] {
  const urls = values.CONFIG_HTTP_URLS.map((text) => URL.parse(text.trim()));
  const sound = urls.filter((url) => url !== null && /^https?:$/.test(url.protocol)) as URL[];
  if (urls.length === 0) fail('CONFIG_HTTP_URLS', 'must be set: CONFIG_TYPE names HTTP.');
  if (sound.length < urls.length) {
    fail('CONFIG_HTTP_URLS', 'must be URLs such as https://rules.test/shop.yaml, parted by commas.');
  }
  if (urls.length > maxUrls) fail('CONFIG_HTTP_URLS', `must not have more than ${maxUrls} URLs.`);
  if (sound.some(({ username, password }) => username !== '' || password !== '')) {
    fail('CONFIG_HTTP_URLS', 'must not have a user in it. Set CONFIG_HTTP_TOKEN or CONFIG_HTTP_HEADERS.');
  }
  // They are called by that in messages, and what was last good is found by it.
  if (new Set(sound.map(({ origin, pathname }) => origin + pathname)).size < sound.length) {
    fail('CONFIG_HTTP_URLS', 'must have URLs that differ in more than their query.');
  }
  return sound;
}

function checksumOf({ values, fail }: Checks): HttpSourceSettings['checksum'] {
  const { CONFIG_HTTP_CHECKSUM_HEADER: header, CONFIG_HTTP_CHECKSUM_SUFFIX: suffix } = values;
  if (header !== '' && suffix !== '') {
    fail('CONFIG_HTTP_CHECKSUM_SUFFIX', 'contradicts CONFIG_HTTP_CHECKSUM_HEADER. Remove one of them.');
  }
  if (header !== '') return { kind: 'header', name: header.toLowerCase() };
  return suffix === '' ? { kind: 'none' } : { kind: 'suffix', suffix };
}
