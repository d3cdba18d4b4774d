import { runPgProgram } from './run-pg-program.js';

/** Runs a shell script. @returns the outcome of the run, and the process id that the script printed */
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
      // The shell prints a second line when a program is killed.
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

describe('runPgProgram', () => {
  it('ends the program with SIGTERM when the signal aborts', async () => {
    const script = 'trap "exit 3" TERM; echo $$ >&2; while :; do sleep 0.1; done';
    const { outcome, pid } = await run(script, (abort) => abort.abort(new Error('stopped')));
    expect(outcome).toEqual(new Error('stopped'));
    expect(isAlive(pid)).toBe(false);
  });

  it('kills the program after the grace period if it ignores SIGTERM', async () => {
    const script = 'trap "" TERM; echo $$ >&2; while :; do sleep 0.1; done';
    const { outcome, pid } = await run(script, (abort) => abort.abort(new Error('stopped')));
    expect(outcome).toEqual(new Error('stopped'));
    expect(pid).toBeGreaterThan(0);
    expect(isAlive(pid)).toBe(false);
  });

  it('reports the exit code and the output of a program that fails', async () => {
    const { outcome, pid } = await run('echo $$ >&2; exit 7');
    expect(outcome).toMatchObject({ exitCode: 7, stderr: String(pid) });
  });

  it('resolves when the program succeeds', async () => {
    expect((await run('echo $$ >&2')).outcome).toBe('done');
  });
});
