/** A test that shows a statement of the reference, or that may be skipped. */
export interface NamedTest {
  /** The path of its suite from the root of the repository, or of a module that defines tests for suites. */
  readonly file: string;
  /** The title as the runner lists it, with or without the titles around it. `…` stands for any text. */
  readonly title: string;
}

/**
 * A test that may be skipped on a machine that lacks a program or a privilege. The run reports each skip with
 * its reason.
 */
export interface AllowedSkip extends NamedTest {
  readonly reason: string;
}

/** The result of one test. */
export interface TestOutcome {
  /** The path from the root of the repository, with forward slashes. */
  readonly file: string;
  /** The titles of the `describe` blocks around the test, followed by the title of the test. */
  readonly fullName: string;
  /** The status from Jest: `passed`, `failed`, `pending`, `skipped`, `todo`, `disabled` or `focused`. */
  readonly status: string;
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
  named: readonly NamedTest[],
  outcomes: readonly TestOutcome[],
  allowedSkips: readonly AllowedSkip[],
): NamedTestReport {
  const faults = new Set<string>();
  const skips = new Set<string>();
  for (const { file, title } of named) {
    const found = outcomes.filter((test) => isFrom(test, file) && endsWith(test.fullName, title));
    if (found.length === 0) faults.add(`a test that shows a statement did not run: "${title}" in ${file}`);
    for (const { fullName } of found.filter(({ status }) => !RAN.has(status))) {
      const allowed = allowedSkips.find((skip) => skip.file === file && endsWith(fullName, skip.title));
      if (allowed === undefined)
        faults.add(`a test that shows a statement was skipped: "${fullName}" in ${file}`);
      else skips.add(`"${fullName}" was skipped: ${allowed.reason}`);
    }
  }
  return { faults: [...faults], skips: [...skips] };
}

function isFrom(test: TestOutcome, file: string): boolean {
  return test.file === file || !file.endsWith('.spec.ts');
}

/** Checks whether a name ends with a title, in which `…` stands for any text. */
function endsWith(fullName: string, title: string): boolean {
  const parts = title.split('…').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  return new RegExp(`(^| )${parts.join('.*')}$`, 's').test(fullName);
}
