/**
 * One sentence of the reference (sections of `conformance/sections/`), in the project's own words. A plain text has its
 * test in the conformance suite, declared by its id; the others say where else they stand.
 */
export type Requirement = string | CoveredElsewhere | Open | Deviation;

/** Shown by a test of another suite. */
export interface CoveredElsewhere {
  readonly says: string;
  /** From the root of the repository. */
  readonly file: string;
  /** As the test's `it` has it. */
  readonly test: string;
}

/** Not built yet, or nothing that a test could show. */
export interface Open {
  readonly says: string;
  /** Why, and what it waits for. */
  readonly open: string;
}

/** Built otherwise than it is written: the suite's test of it is expected to fail until that is mended. */
export interface Deviation {
  readonly says: string;
  /** What happens instead. */
  readonly seen: string;
}

export interface Section {
  /** Of the reference: `4.2`, or `2.9 list` for a part of a long one. */
  readonly number: string;
  readonly title: string;
  /** By number within the section, from 1 on without a gap. */
  readonly requirements: Readonly<Record<number, Requirement>>;
}

export function says(requirement: Requirement): string {
  return typeof requirement === 'string' ? requirement : requirement.says;
}

export function isDeviation(requirement: Requirement): requirement is Deviation {
  return typeof requirement === 'object' && 'seen' in requirement;
}

/** Whether its test stands in the conformance suite. */
export function isTestedHere(requirement: Requirement): requirement is string | Deviation {
  return typeof requirement === 'string' || isDeviation(requirement);
}
