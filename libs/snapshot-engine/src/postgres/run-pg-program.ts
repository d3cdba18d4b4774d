import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { SnapshotError, type SnapshotFailureCode } from '../job/snapshot-failure.js';

/** pg_dump or pg_restore did not succeed. `stderr` may quote row values: it is for the local log alone. */
export class PgProgramError extends Error {
  constructor(
    readonly exitCode: number | null,
    readonly stderr: string,
  ) {
    super('a program of PostgreSQL has failed');
    this.name = 'PgProgramError';
  }
}

export interface PgProgram {
  readonly path: string;
  /** Visible to everybody on this machine: no password among them. */
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Told of each line that it writes about its work. */
  readonly onLine?: (line: string) => void;
  /** How long it may take to end after SIGTERM, before SIGKILL. In whole seconds, at least 1. */
  readonly graceSeconds?: number;
}

const GRACE_SECONDS = 20;

/**
 * Runs a program to its end. It does not outlive this process, however that ends: what it would go on writing belongs to nobody.
 * @throws PgProgramError; the signal's reason, when the program has ended
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
 * The program gets SIGTERM when the pipe from this process ends, be it closed or its holder killed; pg_dump and pg_restore end
 * their workers and the statements of these on the server then. One that still runs when the grace is over, because it hangs
 * in a read or a write, gets SIGKILL.
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
 * pg_dump and pg_restore say in words alone what went wrong, and the words may quote rows. What is known by them becomes a code; the error
 * stays as the cause.
 * @param otherwise for what is in no list
 */
export function programFailure(
  error: unknown,
  side: 'source' | 'target',
  otherwise: SnapshotFailureCode,
): unknown {
  if (!(error instanceof PgProgramError)) return error;
  const [, code, own] = MESSAGES.find(([words]) => words.test(error.stderr)) ?? [undefined, otherwise, false];
  return new SnapshotError(own === true ? { code } : { code, side }, { cause: error });
}

/** As PostgreSQL 14 to 18 write them in English; `true`: of this machine, no database's. */
const MESSAGES: readonly (readonly [RegExp, SnapshotFailureCode, boolean?])[] = [
  [/(?:could not (?:write|close|open)|error during file write).*No space left on device/, 'disk_full', true],
  [/could not extend file|No space left on device/, 'disk_full'],
  [
    /server closed the connection unexpectedly|terminating connection|connection to server .* failed|SSL connection has been closed/,
    'connection_lost',
  ],
  [/canceling statement due to lock timeout/, 'lock_timeout'],
  [/permission denied|must be (?:owner|superuser|member)|must have privileges/, 'permission_denied'],
  [
    /(?:role|tablespace|extension|library|language) ".*" (?:does not exist|is not available)|could not open extension control file|could not access file/,
    'prerequisite_missing',
  ],
  [/already exists/, 'create_failed'],
];
