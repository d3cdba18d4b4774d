import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { LocalSystemError } from '../local-system-error.js';
import { logTail } from './log-tail.js';
import { identifyProcess, type ProcessIdentity } from './process-identity.js';
import { stopProcess } from './stop-process.js';
import type { SystemUser } from './system-user.js';

export interface ProcessSpec {
  /** Name for messages, such as `postgres` or `agent`. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment of the process. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly logFile: string;
  /** Runs the process as this user. Only root may set it; PostgreSQL refuses to run as root. */
  readonly user?: SystemUser;
  /** Aborts the start. */
  readonly signal?: AbortSignal;
  /** Receives the process before its program runs. The program never runs if this process ends first. */
  readonly onSpawn?: (identity: ProcessIdentity) => void;
}

/** Waits for a line, and then becomes the program, with the same process id. Ends if no line comes. */
const GATE = 'read -r line || exit 1; exec "$@" </dev/null';

/**
 * Starts a process in its own process group, with its output in a log file, and waits until `ready` resolves.
 * The new process continues when this process ends.
 * @param ready receives a signal that aborts when the new process has exited
 * @throws LocalSystemError with the end of the log if the new process exits before `ready` resolves, or if `ready`
 *   throws; the new process is then stopped
 */
export async function startProcess(
  spec: ProcessSpec,
  ready: (exited: AbortSignal) => Promise<void>,
): Promise<ProcessIdentity> {
  mkdirSync(dirname(spec.logFile), { recursive: true });
  const log = openSync(spec.logFile, 'a', 0o600);
  const child = spawn('/bin/sh', ['-c', GATE, 'sh', spec.command, ...spec.args], {
    cwd: spec.cwd,
    env: spec.env,
    detached: true,
    stdio: ['pipe', log, log],
    ...(spec.user && { uid: spec.user.uid, gid: spec.user.gid }),
  });
  closeSync(log);
  child.stdin?.on('error', () => undefined); // the process has ended, which `exit` reports
  child.unref();

  const exit = new AbortController();
  let ending = '';
  const ended = new Promise<never>((_resolve, reject) => {
    const end = (how: string) => {
      ending ||= how;
      exit.abort();
      reject(new Error(how));
    };
    child.once('error', (error) => end(error.message));
    child.once('exit', (code, signal) => end(`it exited with ${signal ?? `code ${code}`}`));
  });
  ended.catch(() => undefined); // after a successful start, nobody awaits this promise
  let interrupt: () => void = () => undefined;
  const interrupted = new Promise<never>((_resolve, reject) => {
    interrupt = () => reject(new Error('the start was interrupted'));
    if (spec.signal?.aborted) interrupt();
    spec.signal?.addEventListener('abort', interrupt, { once: true });
  });
  interrupted.catch(() => undefined);
  const identity = child.pid === undefined ? undefined : identifyProcess(child.pid);
  try {
    if (identity !== undefined) spec.onSpawn?.(identity);
    child.stdin?.end('\n');
    await Promise.race([ready(exit.signal), ended, interrupted]);
    if (identity === undefined) throw new Error('it exited immediately');
    return identity;
  } catch (error) {
    exit.abort();
    const why = ending || (error instanceof Error ? error.message : String(error)); // before the signal ends it
    await stopProcess(identity);
    throw notReady(spec, why, error);
  } finally {
    spec.signal?.removeEventListener('abort', interrupt);
  }
}

function notReady(spec: ProcessSpec, why: string, cause: unknown): LocalSystemError {
  const tail = logTail(spec.logFile, 15);
  return new LocalSystemError(
    'service.not_ready',
    `${spec.name} did not become ready: ${why}${tail && `\n\nThe end of its log:\n${tail}`}`,
    `its log: ${spec.logFile}`,
    { cause },
  );
}
