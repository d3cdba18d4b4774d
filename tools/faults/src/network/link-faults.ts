import { setTimeout as sleep } from 'node:timers/promises';

import { waitUntilReady } from '@understudy/local-system';

import { changeAddresses, cutLink, degradeLink, type CutKind } from './link-cut.js';
import type { NetworkFault } from './network-fault.js';
import { FIRST, type NetworkSystem } from './network-system.js';

const SECOND = 'second';
const BETWEEN_CUTS_SECONDS = 10;
const MINUTES_5 = 300;
/** Time within which the programs notice a connection that is dropped silently. */
const NOTICED_WITHIN_SECONDS = 20;

const KINDS: readonly { readonly kind: CutKind; readonly name: string }[] = [
  { kind: 'drop', name: 'silent drop' },
  { kind: 'reset', name: 'reset connections' },
  { kind: 'down', name: 'link down' },
];

/** All rows of `npm run faults -- --network`, in the order in which they run. */
export const LINK_FAULTS: readonly NetworkFault[] = [
  cut('drop', 'silent drop', 10),
  cut('drop', 'silent drop', 30),
  cut('drop', 'silent drop', 180),
  cut('down', 'link down', 30),
  cut('down', 'link down', 180),
  cut('reset', 'reset connections', 30),
  killed('control-plane', 20),
  killed('control-plane', 60),
  killed('nats', 20),
  {
    ...{ name: '100 ms round trip and 1 % loss', moment: 'copy', seconds: 30, expected: 'completes' },
    disturb: (system, _job, times) => degraded(system, () => system.letGoFor(30 * times)),
  },
  {
    ...{ name: '100 ms round trip, 1 % loss and 30 s silent drop', moment: 'copy', seconds: 50 },
    disturb: (system, _job, times) =>
      degraded(system, async () => {
        await sleep(10_000 * times);
        await during(system, cutLink(system.networks, 'drop'), 30 * times);
      }),
    expected: 'completes',
  },
  repeated(3, 47, 'three silent drops of 47 s'),
  ...(['copy', 'switch'] as const).flatMap((moment) => [
    ...KINDS.map(({ kind, name }) => cut(kind, name, MINUTES_5, moment)),
    killed('control-plane', MINUTES_5, moment),
  ]),
  {
    ...{ name: 'the addresses of both names change', moment: 'copy', seconds: 30, expected: 'completes' },
    async disturb(system) {
      changeAddresses(system.networks);
      // The programs must notice first that nothing answers at the old address.
      await system.letGoFor(NOTICED_WITHIN_SECONDS);
    },
  },
  {
    ...{ name: 'a proxy closes tunnels after 30 idle seconds', moment: 'copy', seconds: 90 },
    ...{ proxyIdleSeconds: 30, expected: 'completes' },
    disturb: (system, _job, times) => system.letGoFor(90 * times),
  },
  {
    ...{ name: 'an agent enrols during a 60 s silent drop', moment: 'copy', seconds: 60 },
    disturb: (system, _job, times) =>
      during(system, cutLink(system.networks, 'drop'), 60 * times, () => system.startAgent(SECOND, false)),
    cleanUp: (system) => system.removeAgent(SECOND),
    expected: 'completes',
  },
  {
    ...{ name: 'two agents, and the first loses its link for 60 s', moment: 'copy', seconds: 60 },
    prepare: (system) => system.startAgent(SECOND),
    disturb: (system, _job, times) => during(system, cutLink(system.networks, 'first agent'), 60 * times),
    cleanUp: (system) => system.removeAgent(SECOND),
    expected: 'completes elsewhere',
  },
  {
    ...{ name: 'a release during a 60 s silent drop, with a second agent', moment: 'copy', seconds: 60 },
    disturb: (system, job, times) =>
      during(system, cutLink(system.networks, 'first agent'), 60 * times, async () => {
        await system.startAgent(SECOND);
        await system.api.jobs.release(job);
      }),
    cleanUp: (system) => system.removeAgent(SECOND),
    expected: 'completes elsewhere',
  },
  {
    ...{ name: 'a cancel request during a 30 s silent drop', moment: 'copy', seconds: 30 },
    disturb: (system, job, times) =>
      during(system, cutLink(system.networks, 'drop'), 30 * times, () => system.api.jobs.delete(job)),
    expected: 'cancelled',
  },
  {
    ...{ name: 'a revocation during a 30 s silent drop', moment: 'copy', seconds: 30 },
    disturb: (system, _job, times) =>
      during(system, cutLink(system.networks, 'drop'), 30 * times, async () => {
        const agent = await system.api.agentNamed(FIRST);
        await system.api.agents.revoke(agent?.id ?? '');
      }),
    async cleanUp(system) {
      await system.removeAgent(FIRST);
      await system.startAgent(FIRST);
    },
    expected: 'stopped',
  },
  cut('nats', 'without NATS, with the API', 3_600),
  repeated(100, 45, '100 silent drops of 45 s in one copy'),
];

function cut(
  kind: CutKind,
  name: string,
  seconds: number,
  moment: NetworkFault['moment'] = 'copy',
): NetworkFault {
  return {
    name: `${duration(seconds)} ${name}${moment === 'switch' ? ', from the switch' : ''}`,
    ...{ moment, seconds, expected: 'completes' },
    disturb: (system, _job, times) => during(system, cutLink(system.networks, kind), seconds * times),
  };
}

function killed(
  program: 'control-plane' | 'nats',
  seconds: number,
  moment: NetworkFault['moment'] = 'copy',
): NetworkFault {
  const what = program === 'nats' ? 'NATS' : 'control plane';
  return {
    name: `${what} killed, started after ${duration(seconds)}${moment === 'switch' ? ', from the switch' : ''}`,
    ...{ moment, seconds, expected: 'completes' },
    async disturb(system, _job, times) {
      const { control } = system.networks;
      await control.kill(program);
      await system.letGoFor(seconds * times);
      await (program === 'nats' ? control.startNats() : control.startControlPlane());
    },
  };
}

function repeated(count: number, seconds: number, name: string): NetworkFault {
  return {
    ...{ name, moment: 'copy', seconds: count * (seconds + BETWEEN_CUTS_SECONDS), expected: 'completes' },
    async disturb(system, _job, times) {
      for (let done = 1; done <= count; done++) {
        await during(system, cutLink(system.networks, 'drop'), seconds * times);
        if (done === count) return;
        const since = Date.now();
        await waitUntilReady(
          async () => {
            if (!(await system.api.isLive(FIRST, since))) throw new Error('the agent is not back');
          },
          { timeoutMs: 60_000 },
        );
        await sleep(Math.max(0, since + BETWEEN_CUTS_SECONDS * 1_000 * times - Date.now()));
      }
    },
  };
}

/** Keeps a disturbance for some seconds, and ends it also if `act` fails. */
async function during(
  system: NetworkSystem,
  restore: () => void,
  seconds: number,
  act: () => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  const until = Date.now() + seconds * 1_000;
  system.letGo();
  try {
    await act();
    await sleep(Math.max(0, until - Date.now()));
  } finally {
    restore();
  }
}

async function degraded(system: NetworkSystem, act: () => Promise<void>): Promise<void> {
  const restore = await degradeLink(system.networks, 50, 0.01);
  try {
    await act();
  } finally {
    restore();
  }
}

function duration(seconds: number): string {
  if (seconds >= 3_600) return `${seconds / 3_600} h`;
  return seconds >= MINUTES_5 ? `${seconds / 60} min` : `${seconds} s`;
}
