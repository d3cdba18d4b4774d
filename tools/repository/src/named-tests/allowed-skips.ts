import { testsIn, type NamedTest } from './named-test.js';

/** A test that may be skipped on a machine that lacks something. The run reports each skip with its reason. */
export interface AllowedSkip extends NamedTest {
  readonly reason: string;
}

const receiver = testsIn('apps/control-plane/test/integration/receivers.spec.ts');

export const ALLOWED_SKIPS: readonly AllowedSkip[] = ['Python', 'PHP', 'Go'].map((language) => ({
  ...receiver(`the receiver in ${language} takes what was sent and answers 401 to everything else`),
  reason: `${language} is not installed`,
}));
