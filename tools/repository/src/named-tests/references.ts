import { readNumberedTests } from '../conformance/numbered-titles.js';
import type { AllowedSkip, NamedTest } from './named-tests.js';

/** The named tests that may be skipped on a machine that lacks a language. */
export const ALLOWED_SKIPS: readonly AllowedSkip[] = [
  ...['Python', 'PHP', 'Go'].map((language) => ({
    file: 'apps/control-plane/test/integration/webhooks/receivers.spec.ts',
    title: `the receiver in ${language} accepts the delivery and returns 401 for everything else`,
    reason: `${language} is not installed`,
  })),
  ...['python', 'php', 'go'].map((language) => ({
    file: `clients/test/scenarios/${language}.spec.ts`,
    title: 'accepts fields and values that it does not know',
    reason: `the programs for the tests of the client in ${language} are not installed`,
  })),
];

/** Lists the tests whose titles have numbers of statements. */
export function namedTests(root: string): readonly NamedTest[] {
  return readNumberedTests(root).map(({ file, statements, group, title }) => ({
    file,
    title: `${group}[${statements.join(', ')}] ${title}`,
  }));
}
