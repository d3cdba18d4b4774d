import { storedComposition } from './define-composition.js';
import { CORE_REGISTRY } from '../types/core-registry.js';

const versioned = (version: string) =>
  storedComposition({ name: '@a/b:c', version, body: 'x' }, CORE_REGISTRY);

it.each(['0.0.0', '1.2.3-alpha.1', '1.0.0-x-y.0.a1+build.007', '999999999.0.1'])(
  'accepts version %s',
  (version) => {
    expect(versioned(version).version).toBe(version);
  },
);

it.each([
  '1',
  '1.2',
  '01.2.3',
  '1.2.3-',
  '1.2.3-01',
  '1.2.3-a_b',
  '1.2.3-a..b',
  '1.2.3+',
  '1000000000.0.0',
  'v1.2.3',
])('refuses version %s, which is not a semantic version', (version) => {
  expect(() => versioned(version)).toThrow('must be a semantic version like 1.2.0');
});
