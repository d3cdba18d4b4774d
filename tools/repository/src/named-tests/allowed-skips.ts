import { type AllowedSkip, testsIn } from './named-tests.js';

const receiver = testsIn('apps/control-plane/test/integration/webhooks/receivers.spec.ts');
const journal = testsIn('apps/agent/src/journal/full-disk.spec.ts');
const agent = testsIn('apps/agent/test/integration/full-disk.spec.ts');
const faults = testsIn('tools/faults/test/fixed-faults.spec.ts');

export const ALLOWED_SKIPS: readonly AllowedSkip[] = [
  ...['Python', 'PHP', 'Go'].map((language) => ({
    ...receiver(`the receiver in ${language} takes what was sent and answers 401 to everything else`),
    reason: `${language} is not installed`,
  })),
  ...[
    journal('leaves no half line, and goes on when there is room'),
    journal('keeps its segment when no other can begin, and begins one when there is room'),
    journal('keeps no event in memory for an acknowledgement that it cannot take'),
    journal('is broken by an event that it cannot take, and takes nothing more'),
    agent('logs an error for each heartbeat that it cannot record, and sends them again when there is room'),
    agent(
      'ends with an error when it cannot record an event, and loses none and gives no number twice after it',
    ),
    agent('takes no work while less is free than its floor, and takes it when there is room'),
    faults('leaves the target old or new and nothing behind: the disk of the agent is full (at 0.4)'),
    faults(
      'leaves the target old or new and nothing behind: the agent has too little free disk for work (at 0)',
    ),
  ].map((test) => ({ ...test, reason: 'this process may not mount a small disk' })),
];
