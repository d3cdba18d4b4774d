import type { EngineLog } from '@understudy/postgres';
import { loggedWatchdog, type Standstill } from './watchdog.js';

it('logs only the ids of a job that copies nothing, and not its command', () => {
  const logged: unknown[] = [];
  const log = { warn: (facts: unknown) => logged.push(facts) } as unknown as EngineLog;
  const command = {
    jobId: 'job_a',
    epoch: 2,
    source: { kind: 'url', url: 'postgresql://me:secret@host/db' },
  };
  const idle = { state: 'idle' } as unknown as Standstill['source'];
  const standstill: Standstill = { tableIndex: 0, stillForMs: 30_000, source: idle, target: idle };
  loggedWatchdog(log, command).onStandstill(standstill);
  expect(logged).toEqual([{ jobId: 'job_a', epoch: 2, standstill }]);
});
