import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { SnapshotFailureCode } from '@understudy/agent-protocol';
import { SnapshotError } from '../job/snapshot-failure.js';

/** pg_dump or pg_restore failed. `stderr` may quote row values, so it goes only to the local log. */
export class PgProgramError extends Error {
  constructor(
    readonly exitCode: number | null,
    readonly stderr: string,
  ) {
    super('pg_dump or pg_restore failed');
    this.name = 'PgProgramError';
  }
}

export interface PgProgram {
  readonly path: string;
  /** Arguments, which every user of this machine can see: they must contain no passwords. */
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Called with each line that the program writes to stderr. */
  readonly onLine?: (line: string) => void;
  /** Time between SIGTERM and SIGKILL, in whole seconds, at least 1. */
  readonly graceSeconds?: number;
}

const GRACE_SECONDS = 20;

/**
 * Runs a program and waits for its end. If this process dies, the program ends within the grace period.
 * @throws PgProgramError, or the signal's reason after the program has ended
 */
export async function runPgProgram(program: PgProgram): Promise<void> {
  const { path, args, environment, signal, onLine, graceSeconds = GRACE_SECONDS } = program;
  signal.throwIfAborted();
  const command = ['-c', SUPERVISOR_SCRIPT, 'sh', String(graceSeconds), path, ...args];
  const child = spawn('/bin/sh', command, { env: environment, stdio: ['pipe', 'ignore', 'pipe'] });
  const stop = (): void => void child.stdin.destroy();
  child.stdin.on('error', () => undefined);
  signal.addEventListener('abort', stop, { once: true });
  const tail: string[] = [];
  const lines = createInterface({ input: child.stderr });
  lines.on('line', (line) => {
    tail.push(line.slice(0, MAX_LINE_LENGTH));
    if (tail.length > MAX_LINES) tail.shift();
    onLine?.(line);
  });
  try {
    const [[exitCode]] = (await Promise.all([once(child, 'exit'), once(lines, 'close')])) as [
      [number | null],
      unknown,
    ];
    signal.throwIfAborted();
    if (exitCode !== 0) throw new PgProgramError(exitCode, tail.join('\n'));
  } finally {
    signal.removeEventListener('abort', stop);
    child.stdin.destroy();
  }
}

/**
 * Runs the program and sends SIGTERM to it when the pipe from this process closes, which also happens when this
 * process is killed. pg_dump and pg_restore then end their workers and cancel their statements on the server. If the
 * program hangs in a read or a write, it receives SIGKILL after the grace period.
 */
const SUPERVISOR_SCRIPT = `
  grace=$1
  shift
  exec 3<&0
  "$@" 3<&- </dev/null &
  program=$!
  {
    cat <&3
    kill -TERM $program
    while [ $grace -gt 0 ] && kill -0 $program; do sleep 1; grace=$((grace - 1)); done
    kill -KILL $program
  } >/dev/null 2>&1 &
  watcher=$!
  exec 3<&-
  wait $program
  status=$?
  kill $watcher 2>/dev/null
  exit $status
`;

const MAX_LINES = 50;
const MAX_LINE_LENGTH = 2_000;

/**
 * Converts an error of {@link runPgProgram} to a failure with a code that matches the program's messages. The
 * messages may quote rows, so only the `cause` contains them.
 * @param otherwise the code if no message matches
 */
export function programFailure(
  error: unknown,
  side: 'source' | 'target',
  otherwise: SnapshotFailureCode,
): unknown {
  if (!(error instanceof PgProgramError))
    return isOfStart(error) ? new SnapshotError({ code: 'pg_dump_failed' }, { cause: error }) : error;
  if (isKilled(error)) return new SnapshotError({ code: 'pg_dump_failed' }, { cause: error });
  const [, code, isLocal] = MESSAGES.find(([words]) => words.test(error.stderr)) ?? [
    undefined,
    otherwise,
    false,
  ];
  return new SnapshotError(isLocal === true ? { code } : { code, side }, { cause: error });
}

/** Returns true if the operating system could not start the program. */
function isOfStart(error: unknown): boolean {
  return String((error as { syscall?: unknown }).syscall).startsWith('spawn');
}

/** Returns true if a signal ended the program, or if the shell could not start it. */
function isKilled({ exitCode }: PgProgramError): boolean {
  return exitCode === null || exitCode > 125;
}

/**
 * English messages of PostgreSQL 14 to 18 and their codes. `true` means that the failure occurred on this machine
 * and not on a server.
 */
const MESSAGES: readonly (readonly [RegExp, SnapshotFailureCode, boolean?])[] = [
  [/(?:could not (?:write|close|open)|error during file write).*No space left on device/, 'disk_full', true],
  [/could not extend file|No space left on device/, 'disk_full'],
  // The programs prefix messages of the server with more words, such as `query failed: ERROR:`.
  [
    /^pg_(?:dump|restore): error: (?:out of memory|could not (?:open|create|read|write|close)[^:]*(?:file|directory))/m,
    'pg_dump_failed',
    true,
  ],
  [
    /server closed the connection unexpectedly|terminating connection|connection to server .* failed|SSL connection has been closed/,
    'connection_lost',
  ],
  [/canceling statement due to lock timeout/, 'lock_timeout'],
  [
    /permission denied|must be (?:owner|superuser|member|able to SET ROLE)|must have privileges/,
    'permission_denied',
  ],
  [
    /(?:role|tablespace|extension|library|language) ".*" (?:does not exist|is not available)|could not open extension control file|could not access file/,
    'prerequisite_missing',
  ],
  [/already exists/, 'create_failed'],
  // A worker also ends after an error of the server, which is then the cause.
  [
    /(?<![^])(?![^]*\bERROR: )[^]*^pg_(?:dump|restore): error: a worker process died/m,
    'pg_dump_failed',
    true,
  ],
];
