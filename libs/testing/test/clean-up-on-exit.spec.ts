import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { identifyProcess, isRunning, type ProcessIdentity } from '@understudy/local-system';

import { waitFor } from '../src/index.js';

const FILE = join(import.meta.dirname, '../../local-system/dist/index.js');

describe('cleanUpOnExit', () => {
  const parent = mkdtempSync(join(tmpdir(), 'understudy-clean-up-'));
  const [folder, neighbour, note] = ['data', 'data-of-another', 'note'].map((name) => join(parent, name)) as [
    string,
    string,
    string,
  ];
  const programs: ChildProcess[] = [];
  afterAll(() => {
    for (const program of programs) program.kill('SIGKILL');
    rmSync(parent, { recursive: true, force: true });
  });

  /** Starts a daemon, as a database server is: in a session of its own, with a folder as working directory. */
  async function daemonIn(cwd: string): Promise<ProcessIdentity> {
    mkdirSync(cwd, { recursive: true });
    const program = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1e6)'], {
      cwd,
      detached: true,
      stdio: 'ignore',
    });
    programs.push(program);
    await once(program, 'spawn');
    const identity = identifyProcess(Number(program.pid));
    if (identity === undefined) throw new Error('expected a process');
    return identity;
  }

  const itOnLinux = process.platform === 'linux' ? it : it.skip;
  itOnLinux('ends the processes that work in a folder of a killed process, and no others', async () => {
    const [inside, below, outside] = [
      await daemonIn(folder),
      await daemonIn(join(folder, 'below')),
      await daemonIn(neighbour),
    ];
    writeFileSync(join(folder, 'file'), '');
    const caller = `
      import { cleanUpOnExit } from ${JSON.stringify(FILE)};
      cleanUpOnExit([], [${JSON.stringify(folder)}], ['false', 'echo ran > ${note}']);
      process.kill(process.pid, 'SIGKILL');`;
    await once(spawn(process.execPath, ['--input-type=module', '-e', caller]), 'exit');
    await waitFor('the end of the daemons', async () => !isRunning(inside) && !isRunning(below));
    await waitFor('the removal of the folder', async () => !existsSync(folder));
    expect(existsSync(note)).toBe(true);
    expect(isRunning(outside)).toBe(true);
  });
});
