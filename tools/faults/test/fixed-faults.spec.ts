import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { SmallDisk, waitFor } from '@understudy/testing';

import { Arena } from '../src/arena/arena.js';
import { FIXED_FAULTS } from '../src/faults/all-faults.js';
import type { Reference } from '../src/judge/judge-round.js';
import { referenceRound, runRound } from '../src/run-round.js';

/** Real processes. Each fault is followed by the same judgement: see judge-round.ts. */
describe('a job that is disturbed', () => {
  let arena: Arena;
  let reference: Reference;

  beforeAll(async () => {
    arena = await Arena.open(() => undefined);
    reference = await referenceRound(arena);
  });

  afterAll(() => arena.close());

  it('finds the snapshot holders of its own agents and of no other program', async () => {
    const stranger = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)', 'snapshot-holder']);
    await once(stranger, 'spawn');
    expect(arena.snapshotHolders()).not.toContain(stranger.pid);
    stranger.kill('SIGKILL');
    await arena.resetTarget();
    const id = await arena.startJob();
    await waitFor('the holder of the job', async () => arena.snapshotHolders().length === 1);
    await arena.ended(id);
  });

  const mayMount = SmallDisk.isPossible();
  const title = 'leaves the target old or new and nothing behind';
  for (const { fault, share } of FIXED_FAULTS) {
    (fault.needsSmallDisk === true && !mayMount ? it.skip : it)(
      `${title}: ${fault.name} (at ${share})`,
      async () => {
        const round = await runRound(arena, fault, share * reference.durationMs, reference);
        expect(round.wrong).toEqual([]);
      },
      900_000,
    );
  }
});
