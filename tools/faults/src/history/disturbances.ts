import { setTimeout as pause } from 'node:timers/promises';

import type { TestSystem } from '../system/test-system.js';

/** A fault that strikes exactly when an agent reaches a step. The agent waits until the fault has begun. */
export interface Disturbance {
  readonly name: string;
  /** Undefined if the agent itself is killed. @returns a function that ends the fault */
  strike?(system: TestSystem): Promise<() => Promise<void>>;
  /** True if the agent is not started again before the change has ended. */
  readonly leavesDown?: boolean;
  /** True if the fault strikes the statement that follows the step, so it only makes sense before the last one. */
  readonly needsLastStatement?: boolean;
  /** True if nobody can write to the target until the fault has ended. */
  readonly stopsServer?: boolean;
  /** True if a change can fail because of the fault. */
  readonly canFail?: boolean;
}

const LINK_CUT_MS = 3_000;
/** Longer than a lease. */
const SILENT_MS = 8_000;

export const DISTURBANCES: readonly Disturbance[] = [
  { name: 'the agent is killed' },
  { name: 'the agent is killed and stays dead', leavesDown: true },
  {
    name: 'the control plane is killed',
    strike({ pids: { control_plane: pid } }) {
      if (pid !== null) process.kill(pid, 'SIGKILL');
      return Promise.resolve(() => Promise.resolve());
    },
  },
  {
    // No packet is answered, and no connection is closed. So this is what an agent sees of a link that drops packets.
    name: 'the link to the control plane is silent for 8 s',
    strike({ pids: { control_plane: api, nats } }) {
      const pids = [api, nats].filter((pid) => pid !== null);
      for (const pid of pids) process.kill(pid, 'SIGSTOP');
      return Promise.resolve(async () => {
        await pause(SILENT_MS);
        for (const pid of pids) process.kill(pid, 'SIGCONT');
      });
    },
  },
  {
    name: 'the link to the target is cut for 3 s',
    canFail: true,
    strike: ({ link }) => during(link.cut(LINK_CUT_MS)),
  },
  {
    name: 'the link to the target is cut for 3 s when the last statement was sent',
    needsLastStatement: true,
    canFail: true,
    strike: ({ link }) => during(link.cutAtFinalStatement(LINK_CUT_MS)),
  },
  {
    name: 'the target server crashes',
    ...{ canFail: true, stopsServer: true },
    async strike({ target }) {
      await target.crash();
      return () => target.up();
    },
  },
];

function during(fault: Promise<void>): Promise<() => Promise<void>> {
  return Promise.resolve(() => fault);
}
