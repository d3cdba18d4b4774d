import { BUILT_PROGRAMS, LiveSystem, type ProgramFiles } from '@understudy/testing';

import { copyRestricted, copySnapshotRestore } from './fill-organization.js';
import type { PreviousRelease } from './previous-release.js';
import type { Steps } from '../steps.js';
import { clientOf, upgrade } from './upgrade.js';

/** Tests an upgrade of a filled system, and both pairs of programs of different releases. */
export async function runSkew(previous: PreviousRelease, steps: Steps): Promise<void> {
  await steps.group(() => upgrade(previous, steps));
  await steps.group(() => pair('new control plane, old agent', BUILT_PROGRAMS, previous.programs, steps));
  await steps.group(() => pair('old control plane, new agent', previous.programs, BUILT_PROGRAMS, steps));
}

/** Tests an agent that enrols with a control plane of another release. */
async function pair(
  title: string,
  programs: ProgramFiles,
  agentPrograms: ProgramFiles,
  steps: Steps,
): Promise<void> {
  const system = await steps.need(`${title}: the agent enrols`, () =>
    LiveSystem.start([title], { programs, agentPrograms }),
  );
  try {
    await steps.check(`${title}: a masked job, a snapshot and its restore`, () =>
      copySnapshotRestore(clientOf(system, title), system.of(title).databases, 'pair'),
    );
    await steps.check(`${title}: a dry run changes nothing, and a subset has only its rows`, () =>
      copyRestricted(clientOf(system, title), system.of(title).databases),
    );
  } finally {
    await system.stop();
  }
}
