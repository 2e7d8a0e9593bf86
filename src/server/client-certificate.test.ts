import { describe, expect, it } from 'vitest';
import { namesIn } from './client-certificate.ts';

describe('the names in a subjectAltName', () => {
  it.each([
    ['nothing', undefined, []],
    ['an empty text', '', []],
    ['URIs, as they are', 'URI:spiffe://Cluster/ns/Shop', ['spiffe://Cluster/ns/Shop']],
    ['DNS names, in lower case', 'DNS:Envoy.Edge.test', ['envoy.edge.test']],
    ['a wildcard, as it is', 'DNS:*.edge.test', ['*.edge.test']],
    ['several', 'DNS:a.test, URI:urn:b, DNS:c.test', ['a.test', 'urn:b', 'c.test']],
    ['other kinds, which are no names', 'IP Address:0:0:0:0:0:0:0:1, email:a@b.c, Registered ID:1.2.3.4', []],
    [
      'an unknown kind between names',
      'DNS:a.test, othername:<unsupported>, DNS:b.test',
      ['a.test', 'b.test'],
    ],
  ])('%s', (_, text, names) => {
    expect(namesIn(text)).toEqual(names);
  });

  it.each([
    ['a DNS name with a comma is no other name', String.raw`DNS:"evil.test\u002c DNS:good.test"`, []],
    ['a URI with a comma is one name', String.raw`URI:"urn:a\u002cURI:urn:b"`, ['urn:a,URI:urn:b']],
    ['nor with a blank behind it', String.raw`URI:"urn:a\u002c URI:urn:b"`, []],
    ['a comma in another kind', String.raw`othername:"XmppAddr:x\u002c DNS:good.test", DNS:a`, ['a']],
    ['a directory name with both escapes', String.raw`DirName:"CN=some\\\u002c DNS:good.test", DNS:a`, ['a']],
    ['a quote in a name', String.raw`DNS:"\"good.test\u002c DNS:b", URI:urn:a`, ['urn:a']],
    ['a zero octet ends no name', String.raw`DNS:"good.test\u0000.evil.test"`, []],
    ['a DNS name that looks like a URI', 'DNS:spiffe://cluster/ns/shop', []],
    ['a URI that looks like a DNS name', 'URI:good.test', []],
    ['no ASCII', String.raw`DNS:"g\u00f6\u00f6d.test"`, []],
    ['blanks', 'DNS:good.test evil.test, DNS: good.test', []],
  ])('%s', (_, text, names) => {
    expect(namesIn(text)).toEqual(names);
  });

  it.each([
    'good.test',
    'DNS:a.test,DNS:good.test',
    'DNS:a.test; DNS:good.test',
    'DNS:"good.test',
    'DNS:"good.test"x',
    String.raw`DNS:a\u002c DNS:good.test`,
    String.raw`DNS:"a\x2c", DNS:good.test`,
    'DNS:"a\n", DNS:good.test',
    'DNS:good.test, "',
  ])('none where the text is not of the form that is known: %j', (text) => {
    expect(namesIn(text)).toEqual([]);
  });
});
