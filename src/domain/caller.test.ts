import { expect, it } from 'vitest';
import { anonymous, comparableName, isAmong } from './caller.ts';

it('DNS names are the same in any case, URIs are not', () => {
  expect(comparableName('Envoy.Edge.Test')).toBe('envoy.edge.test');
  expect(comparableName('spiffe://Cluster/ns/Shop')).toBe('spiffe://Cluster/ns/Shop');
});

it('one name in the list is enough', () => {
  const names = new Set(['a.test', 'b.test']);
  expect(isAmong({ provenNames: ['x.test', 'b.test'] }, names)).toBe(true);
  expect(isAmong({ provenNames: ['x.test'] }, names)).toBe(false);
  expect(isAmong({ provenNames: ['a.test'] }, new Set())).toBe(false);
  expect(isAmong(anonymous, names)).toBe(false);
});
