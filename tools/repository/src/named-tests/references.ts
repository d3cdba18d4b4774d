import { conformanceOf, readReference, SECTIONS } from '../conformance/check-conformance.js';
import { type AllowedSkip, type NamedTestReference, testsIn } from './named-tests.js';

const receiver = testsIn('apps/control-plane/test/integration/webhooks/receivers.spec.ts');

/** The named tests that may be skipped on a machine that lacks a language. */
export const ALLOWED_SKIPS: readonly AllowedSkip[] = [
  ...['Python', 'PHP', 'Go'].map((language) => ({
    ...receiver(`the receiver in ${language} accepts the delivery and returns 401 for everything else`),
    reason: `${language} is not installed`,
  })),
  ...['python', 'php', 'go'].map((language) => ({
    ...testsIn(`clients/test/scenarios/${language}.spec.ts`)(
      'accepts fields and values that it does not know',
    ),
    reason: `the programs for the tests of the client in ${language} are not installed`,
  })),
];

/** Reads the tests that the conformance page names. */
export async function namedTestReferences(root: string): Promise<readonly NamedTestReference[]> {
  const { rows } = await conformanceOf(root, readReference(root), SECTIONS);
  return rows.flatMap(({ unit, row }) => row.tests.map((test) => ({ ...test, by: `statement ${unit.id}` })));
}
