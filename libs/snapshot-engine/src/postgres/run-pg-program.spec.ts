import { runPgProgram } from './run-pg-program.js';

/** Runs a script of the shell; resolves with what became of it and the process id that it wrote. */
async function run(script: string, onReady: (abort: AbortController) => void = () => undefined) {
  const abort = new AbortController();
  let pid = 0;
  const running = runPgProgram({
    path: '/bin/sh',
    args: ['-c', script],
    environment: { PATH: process.env['PATH'] ?? '' },
    signal: abort.signal,
    graceSeconds: 1,
    onLine: (line) => {
      // The shell tells of a killed program in a second line.
      if (pid === 0) pid = Number(line);
      onReady(abort);
    },
  });
  const outcome = await running.then(
    () => 'done',
    (error: unknown) => error,
  );
  return { outcome, pid };
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('a program of PostgreSQL', () => {
  it('is ended by SIGTERM when its work is stopped', async () => {
    const script = 'trap "exit 3" TERM; echo $$ >&2; while :; do sleep 0.1; done';
    const { outcome, pid } = await run(script, (abort) => abort.abort(new Error('stopped')));
    expect(outcome).toEqual(new Error('stopped'));
    expect(isAlive(pid)).toBe(false);
  });

  it('is killed after a grace if it ignores SIGTERM', async () => {
    const script = 'trap "" TERM; echo $$ >&2; while :; do sleep 0.1; done';
    const { outcome, pid } = await run(script, (abort) => abort.abort(new Error('stopped')));
    expect(outcome).toEqual(new Error('stopped'));
    expect(pid).toBeGreaterThan(0);
    expect(isAlive(pid)).toBe(false);
  });

  it('reports its exit code and what it wrote', async () => {
    const { outcome, pid } = await run('echo $$ >&2; exit 7');
    expect(outcome).toMatchObject({ exitCode: 7, stderr: String(pid) });
  });

  it('may succeed', async () => {
    expect((await run('echo $$ >&2')).outcome).toBe('done');
  });
});
