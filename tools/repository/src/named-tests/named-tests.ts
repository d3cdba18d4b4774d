/** A test that a document names. */
export interface NamedTest {
  /** The path from the root of the repository, with forward slashes. */
  readonly file: string;
  /** The title as the runner lists it, with or without the titles of the `describe` blocks around it. */
  readonly title: string;
}

/**
 * Returns a function that takes the title of a test in `file` and returns the `NamedTest`:
 * `const models = testsIn('apps/…/models.spec.ts')`, then `models('lists …')`.
 */
export const testsIn =
  (file: string) =>
  (title: string): NamedTest => ({ file, title });

/**
 * A test that may be skipped on a machine that lacks a program or a privilege. The run reports each skip with
 * its reason.
 */
export interface AllowedSkip extends NamedTest {
  readonly reason: string;
}

/** The result of one test. */
export interface TestOutcome extends NamedTest {
  /** The titles of the `describe` blocks around the test, followed by the title of the test. */
  readonly fullName: string;
  /** The status from Jest: `passed`, `failed`, `pending`, `skipped`, `todo`, `disabled` or `focused`. */
  readonly status: string;
}

/** A named test, and the statement (`by`) that names it. */
export interface NamedTestReference extends NamedTest {
  readonly by: string;
}

export interface NamedTestReport {
  /** One line for each named test that did not run, except allowed skips. */
  readonly faults: readonly string[];
  /** One line for each allowed skip of a named test. */
  readonly skips: readonly string[];
}

const RAN: ReadonlySet<string> = new Set(['passed', 'failed']);

/**
 * Checks that a full test run executed each named test. A failed test is not reported here, because the test
 * run itself reports it.
 */
export function namedTestReport(
  references: readonly NamedTestReference[],
  outcomes: readonly TestOutcome[],
  allowedSkips: readonly AllowedSkip[],
): NamedTestReport {
  const byFile = groupedByFile(outcomes);
  const faults = new Set<string>();
  const skips = new Set<string>();
  for (const { by, file, title } of references) {
    const found = (byFile.get(file) ?? []).filter((test) => isNamed(test, title));
    if (found.length === 0) {
      faults.add(`${by} names a test that did not run: "${title}" in ${file}`);
    }
    for (const test of found.filter(({ status }) => !RAN.has(status))) {
      const allowed = allowedSkips.find((skip) => skip.file === file && isNamed(test, skip.title));
      if (allowed === undefined)
        faults.add(`${by} names a test that was skipped: "${test.fullName}" in ${file}`);
      else skips.add(`"${test.fullName}" was skipped: ${allowed.reason}`);
    }
  }
  return { faults: [...faults], skips: [...skips] };
}

function isNamed(test: TestOutcome, title: string): boolean {
  return test.title === title || test.fullName === title;
}

function groupedByFile(outcomes: readonly TestOutcome[]): ReadonlyMap<string, readonly TestOutcome[]> {
  const byFile = new Map<string, TestOutcome[]>();
  for (const outcome of outcomes) {
    const others = byFile.get(outcome.file);
    if (others === undefined) byFile.set(outcome.file, [outcome]);
    else others.push(outcome);
  }
  return byFile;
}
