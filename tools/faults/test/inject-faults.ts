import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { itUnless, SmallDisk, waitFor } from '@understudy/testing';

import type { PlannedFault } from '../src/faults/all-faults.js';
import { referenceRounds, runRound } from '../src/run-round.js';
import { TestSystem } from '../src/system/test-system.js';

/** Defines a test for each fault, which injects it into real processes. The checks of check-round.ts follow each fault. */
export function describeFaults(planned: readonly PlannedFault[]): void {
  describe('a job with a fault', () => {
    let system: TestSystem;
    let references: Awaited<ReturnType<typeof referenceRounds>>;

    beforeAll(async () => {
      system = await TestSystem.open(() => undefined);
      references = await referenceRounds(system);
    });

    afterAll(() => system.close());

    it('finds the snapshot keepers of its own agents and of no other program', async () => {
      const stranger = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)', 'snapshot-keeper']);
      await once(stranger, 'spawn');
      expect(system.snapshotKeepers()).not.toContain(stranger.pid);
      stranger.kill('SIGKILL');
      await system.resetTarget();
      const id = await system.startJob('tables');
      await waitFor('the snapshot keeper of the job', async () => system.snapshotKeepers().length === 1);
      await system.api.ended(id);
    });

    const itOnASmallDisk = itUnless(SmallDisk.whyNotPossible());
    const title = 'leaves the target either unchanged or complete, and nothing behind';
    for (const { fault, replaced, share } of planned) {
      (fault.needsSmallDisk === true ? itOnASmallDisk : it)(
        `${title}: ${replaced}, ${fault.name} (at ${share})`,
        async () => {
          const reference = references[replaced];
          const round = await runRound(system, fault, share * reference.durationMs, reference);
          expect(round.wrong).toEqual([]);
        },
      );
    }
  });
}
