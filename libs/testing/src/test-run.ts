/** A suite `x.release.spec.ts` imports `x.spec.ts`, and then runs only the tests that `npm test` leaves out. */
const isRelease = inJest()?.getState().testPath?.endsWith('.release.spec.ts') === true;

/** Tools import this library outside of Jest. */
function inJest(): jest.Expect | undefined {
  return (globalThis as { readonly expect?: jest.Expect }).expect;
}

const nothing = Object.assign(() => undefined, { each: () => () => undefined }) as unknown as jest.It;

/** Defines a test in both runs: each runs other cases of its table, which `casesOf` chooses. */
export const inBoth: jest.It = globalThis.it;

/** Defines a test that only a release runs (decision 96). */
export const inRelease: jest.It = isRelease ? inBoth : nothing;

/** The end of the names of skipped tests, by which tools/release/suites-reporter.cjs finds them. */
const IN_TEST = ' (npm test runs it)';

const skipped = Object.assign(
  (name: string, test: jest.ProvidesCallback) => inBoth.skip(name + IN_TEST, test),
  {
    each:
      (...table: Parameters<jest.Each>) =>
      (name: string, test: jest.ProvidesCallback) =>
        inBoth.skip.each(...table)(name + IN_TEST, test),
  },
) as unknown as jest.It;

/** Defines a test that `npm test` runs and a release skips. Jest refuses hooks beside which there is no test at all. */
const inTest: jest.It = isRelease ? skipped : inBoth;
export { inTest as it };

/**
 * Chooses the cases of a table for this run.
 * @param inTest the number of cases that `npm test` runs: the first ones. A release runs all others.
 */
export function casesOf<T>(cases: readonly T[], inTest: number): readonly T[] {
  return isRelease ? cases.slice(inTest) : cases.slice(0, inTest);
}
