import { affectedBy, testedProjects } from './affected-by.js';

describe('the projects of Nx', () => {
  it.each(['jest.config.mjs', 'tools/repository/slowest-first.cjs'])(
    'are all affected by a change of %s',
    (file) => {
      expect(affectedBy(file)).toEqual(testedProjects().sort());
    },
  );

  it.each([
    ['libs/ui/src/index.ts', ['ui', 'dashboard'], ['bytes', 'sync-engine', 'masking']],
    ['proto/understudy/v1/event.proto', ['repository'], ['contract', 'agent']],
    ['models/README.md', ['repository'], ['builtin-models', 'cli']],
  ])('after a change of %s include those that need it', (file, included, excluded) => {
    const affected = affectedBy(file);
    expect(affected).toEqual(expect.arrayContaining(included));
    expect(affected.filter((name) => excluded.includes(name))).toEqual([]);
  });
});
