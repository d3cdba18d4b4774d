import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { isRunning, identifyProcess, type ProcessIdentity } from '@understudy/local-system';
import { waitFor } from '@understudy/testing';

import { runInGroup } from '../src/verify/run-in-group.js';

const FILE = join(import.meta.dirname, '../dist/verify/run-in-group.js');
const SYSTEM = join(import.meta.dirname, '../../../libs/local-system/dist/index.js');

/** A program that ignores SIGTERM, and whose child ignores it, too. Each prints its process id. */
const STUBBORN = `
  process.on('SIGTERM', () => undefined);
  process.stderr.write(process.pid + '\\n');
  setInterval(() => undefined, 1_000_000);`;
const PROGRAM = `
  const { spawn } = require('node:child_process');
  spawn(process.execPath, ['-e', ${JSON.stringify(STUBBORN)}], { stdio: ['ignore', 2, 2] });
  process.stderr.write(process.pid + '\\n');
  setInterval(() => undefined, 1_000_000);`;
const CALLER = `
  import { runInGroup } from ${JSON.stringify(FILE)};
  import { interruptible } from ${JSON.stringify(SYSTEM)};
  await interruptible((signal) =>
    runInGroup(process.execPath, ['-e', ${JSON.stringify(PROGRAM)}], { cwd: '/', env: process.env, signal }));`;

describe('a program in a process group of its own', () => {
  let caller: ChildProcess;
  let group: ProcessIdentity[];

  beforeEach(async () => {
    caller = spawn(process.execPath, ['--input-type=module', '-e', CALLER], {
      stdio: ['ignore', 'inherit', 'pipe'],
    });
    group = [];
    if (caller.stderr === null) throw new Error('expected a pipe');
    for await (const line of createInterface({ input: caller.stderr })) {
      const identity = identifyProcess(Number(line));
      if (identity !== undefined) group.push(identity);
      if (group.length === 2) break;
    }
  });
  afterEach(() => {
    for (const one of group) if (isRunning(one)) process.kill(one.pid, 'SIGKILL');
  });

  const allEnded = async () => group.every((one) => !isRunning(one));

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'ends with its children when its caller receives %s',
    async (signal) => {
      caller.kill(signal);
      const [code] = (await once(caller, 'exit')) as [number];
      expect(code).toBe(130);
      await waitFor('the end of the group', allEnded);
    },
  );

  it('ends with its children when its caller is killed', async () => {
    caller.kill('SIGKILL');
    await waitFor('the end of the group', allEnded);
  });
});

describe('runInGroup', () => {
  const run = (code: string) =>
    runInGroup(process.execPath, ['-e', code], {
      cwd: '/',
      env: process.env,
      signal: new AbortController().signal,
    });

  it('returns the exit code, or null after a signal', async () => {
    expect(await run('process.exit(3)')).toBe(3);
    expect(await run('process.kill(process.pid)')).toBeNull();
  });

  it('refuses a program that does not exist', async () => {
    const { signal } = new AbortController();
    const started = runInGroup('/no/such/program', [], { cwd: '/', env: process.env, signal });
    await expect(started).rejects.toThrow('ENOENT');
  });
});
