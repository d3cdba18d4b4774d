import { type AllowedSkip, testsIn } from './named-tests.js';

const receiver = testsIn('apps/control-plane/test/integration/webhooks/receivers.spec.ts');
const journal = testsIn('apps/agent/src/journal/full-disk.spec.ts');
const agent = testsIn('apps/agent/test/integration/full-disk.spec.ts');

/** The named tests that may be skipped on a machine that lacks a language or the right to mount a file system. */
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
  ...[
    journal('leaves no partial line and continues when there is room'),
    journal('keeps its segment until there is room for a new one'),
    journal('drops acknowledged events from memory even if the acknowledgement cannot be written'),
    journal('accepts no more lines after an event could not be written'),
    agent(
      'logs an error for each heartbeat that it cannot record and sends heartbeats again when there is room',
    ),
    agent(
      'exits with an error if it cannot record an event, and loses no event and reuses no number after a restart',
    ),
    agent('accepts no work while the free space is below its floor'),
  ].map((test) => ({ ...test, reason: 'the process is not allowed to mount a small disk' })),
];
