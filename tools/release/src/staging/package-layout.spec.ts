import { placePackages } from './package-layout.js';

const PROGRAM = 'apps/agent';

describe('the layout of the packages of a program', () => {
  it('contains what the program needs, and nothing else of the checkout', () => {
    const lock = {
      [PROGRAM]: { dependencies: { a: '1.0.0' } },
      'node_modules/a': { dependencies: { b: '1.0.0' } },
      'node_modules/b': {},
      'node_modules/jest': {},
    };
    expect(placePackages(lock, PROGRAM)).toEqual([
      { from: PROGRAM, to: '' },
      { from: 'node_modules/a', to: 'node_modules/a' },
      { from: 'node_modules/b', to: 'node_modules/b' },
    ]);
  });

  it('contains the folder of a library instead of its link', () => {
    const lock = {
      [PROGRAM]: { dependencies: { '@understudy/bytes': '0.1.0' } },
      'node_modules/@understudy/bytes': { link: true, resolved: 'libs/bytes' },
      'libs/bytes': {},
    };
    expect(placePackages(lock, PROGRAM)).toContainEqual({
      from: 'libs/bytes',
      to: 'node_modules/@understudy/bytes',
    });
  });

  it('puts the version of the program at the top, if the other one is only for development', () => {
    const lock = {
      [PROGRAM]: { dependencies: { commander: '15.0.0' } },
      'apps/agent/node_modules/commander': {},
      'node_modules/commander': {},
    };
    expect(placePackages(lock, PROGRAM)).toEqual([
      { from: PROGRAM, to: '' },
      { from: 'apps/agent/node_modules/commander', to: 'node_modules/commander' },
    ]);
  });

  it('keeps a second version beside the package that needs it', () => {
    const lock = {
      [PROGRAM]: { dependencies: { a: '1.0.0', b: '1.0.0' } },
      'node_modules/a': { dependencies: { tslib: '1.0.0' } },
      'node_modules/a/node_modules/tslib': {},
      'node_modules/b': { dependencies: { tslib: '2.0.0' } },
      'node_modules/tslib': {},
    };
    expect(placePackages(lock, PROGRAM).map(({ to }) => to)).toEqual([
      '',
      'node_modules/a',
      'node_modules/a/node_modules/tslib',
      'node_modules/b',
      'node_modules/tslib',
    ]);
  });

  it('contains required peer dependencies, but no optional ones', () => {
    const lock = {
      [PROGRAM]: { dependencies: { a: '1.0.0' } },
      'node_modules/a': {
        peerDependencies: { required: '1.0.0', optional: '1.0.0' },
        peerDependenciesMeta: { optional: { optional: true } },
      },
      'node_modules/required': {},
      'node_modules/optional': {},
    };
    const names = placePackages(lock, PROGRAM).map(({ to }) => to);
    expect(names).toEqual(['', 'node_modules/a', 'node_modules/required']);
  });

  it('refuses a dependency that package-lock.json lacks', () => {
    expect(() => placePackages({ [PROGRAM]: { dependencies: { a: '1.0.0' } } }, PROGRAM)).toThrow(
      'expected a, which apps/agent needs',
    );
  });
});
