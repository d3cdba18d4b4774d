import type { SnapshotError } from '../job/snapshot-failure.js';
import { PgProgramError, programFailure, runPgProgram } from './run-pg-program.js';

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

describe('programFailure', () => {
  const failureOf = (exitCode: number, stderr: string) =>
    (programFailure(new PgProgramError(exitCode, stderr), 'source', 'database_error') as SnapshotError)
      .failure;

  it.each([
    [137, 'Killed'],
    [127, 'sh: 1: pg_dump: not found'],
    [1, 'pg_dump: error: out of memory'],
    [1, 'pg_dump: error: could not create directory "/work/d": Permission denied'],
    [1, 'pg_dump: error: could not open output file "/work/d/toc.dat": Read-only file system'],
    [1, 'pg_dump: last line\npg_dump: error: a worker process died unexpectedly'],
  ])('reports exit code %i and %j as a fault of this machine', (exitCode, stderr) => {
    expect(failureOf(exitCode, stderr)).toEqual({ code: 'pg_dump_failed' });
  });

  it.each([
    [
      'pg_dump: error: query failed: ERROR:  could not open file "base/1/2": Input/output error',
      'database_error',
    ],
    ['pg_dump: error: could not write to file: No space left on device', 'disk_full'],
    [
      'pg_restore: error: COPY failed for table "t": ERROR:  wrong\npg_restore: error: a worker process died unexpectedly',
      'database_error',
    ],
    ['pg_dump: error: query failed: ERROR:  permission denied for table t', 'permission_denied'],
    ['pg_restore: error: could not execute query: ERROR:  must be able to SET ROLE "a"', 'permission_denied'],
  ])('keeps the code of %j', (stderr, code) => {
    expect(failureOf(1, stderr).code).toBe(code);
  });

  it('reports a program that cannot be started as a fault of this machine', async () => {
    const environment = { PATH: 'x'.repeat(3_000_000) }; // longer than the operating system accepts
    const { signal } = new AbortController();
    const error: unknown = await runPgProgram({ path: 'true', args: [], environment, signal }).catch(
      (cause: unknown) => cause,
    );
    expect(programFailure(error, 'source', 'database_error')).toMatchObject({
      failure: { code: 'pg_dump_failed' },
    });
  });
});
