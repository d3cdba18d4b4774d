/** A test that a document relies on. */
export interface NamedTest {
  /** From the root of the repository, with forward slashes. */
  readonly file: string;
  /** The title as the runner lists it, with or without the titles of the `describe` blocks around it. */
  readonly title: string;
}

/** Names tests of one file: `const models = testsIn('apps/…/models.spec.ts')`, then `models('lists …')`. */
export const testsIn =
  (file: string) =>
  (title: string): NamedTest => ({ file, title });
