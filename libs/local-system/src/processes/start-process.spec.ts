import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identifyProcess, isRunning } from './process-identity.js';
import { startProcess, type ProcessSpec } from './start-process.js';

describe('a started process', () => {
  let folder: string;
  let spec: ProcessSpec;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'understudy-process-'));
    spec = {
      ...{ name: 'example', command: 'sh', args: ['-c', ': > ran; sleep 60 & wait'], env: process.env },
      ...{ cwd: folder, logFile: join(folder, 'log') },
    };
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const ran = () => existsSync(join(folder, 'ran'));
  const untilItRan = async () => {
    while (!ran()) await new Promise((resolve) => setImmediate(resolve));
  };

  it('is recorded before its program runs, with the same identity', async () => {
    const onSpawn = jest.fn(() => expect(ran()).toBe(false));
    const identity = await startProcess({ ...spec, onSpawn }, untilItRan);
    expect(onSpawn.mock.calls).toEqual([[identity]]);
    expect(identifyProcess(identity.pid)).toEqual(identity);
    process.kill(-identity.pid, 'SIGKILL');
  });

  it('never runs its program if it cannot be recorded', async () => {
    let recorded: Parameters<NonNullable<ProcessSpec['onSpawn']>>[0] | undefined;
    const onSpawn: ProcessSpec['onSpawn'] = (identity) => {
      recorded = identity;
      throw new Error('ENOSPC: no space left on device');
    };
    await expect(startProcess({ ...spec, onSpawn }, untilItRan)).rejects.toThrow(
      'example did not become ready: ENOSPC',
    );
    expect([isRunning(recorded), ran()]).toEqual([false, false]);
  });
});
