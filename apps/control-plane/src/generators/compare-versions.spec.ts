import { highestFirst } from './compare-versions.js';

it('orders versions as semver.org says', () => {
  const ascending = [
    '0.1.0',
    '0.9.9',
    '0.10.0',
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    '1.0.0',
    '1.0.0+build.5',
    '1.0.1',
    '2.0.0',
    '10.0.0',
  ];
  for (const [index, version] of ascending.entries()) {
    for (const lower of ascending.slice(0, index)) {
      expect([version, lower, highestFirst(version, lower) < 0]).toEqual([version, lower, true]);
      expect([version, lower, highestFirst(lower, version) > 0]).toEqual([version, lower, true]);
    }
  }
});
