import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { StackError } from '../stack-error.js';
import { logTail } from './log-tail.js';
import { identifyProcess, type ProcessIdentity } from './process-identity.js';
import { stopProcess } from './stop-process.js';
import type { SystemUser } from './system-user.js';

export interface ProcessSpec {
  /** For messages: `postgres`, `agent`. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment of the process. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly logFile: string;
  /** Root gives a process to another user, as PostgreSQL demands. */
  readonly user?: SystemUser;
  /** Gives the start up. */
  readonly signal?: AbortSignal;
}

/**
 * Starts a process in its own process group, writing to its log, and waits until `ready` resolves.
 * The process outlives this one. When it exits first, or `ready` throws, it is stopped and a StackError quotes the
 * end of its log.
 * @param ready gets a signal that aborts when the process has exited
 */
export async function startProcess(
  spec: ProcessSpec,
  ready: (exited: AbortSignal) => Promise<void>,
): Promise<ProcessIdentity> {
  mkdirSync(dirname(spec.logFile), { recursive: true });
  const log = openSync(spec.logFile, 'a', 0o600);
  const child = spawn(spec.command, spec.args, {
    cwd: spec.cwd,
    env: spec.env,
    detached: true,
    stdio: ['ignore', log, log],
    ...(spec.user && { uid: spec.user.uid, gid: spec.user.gid }),
  });
  closeSync(log);
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
  ended.catch(() => undefined); // after a good start nobody listens any more
  let giveUp: () => void = () => undefined;
  const givenUp = new Promise<never>((_resolve, reject) => {
    giveUp = () => reject(new Error('the start was interrupted'));
    if (spec.signal?.aborted) giveUp();
    spec.signal?.addEventListener('abort', giveUp, { once: true });
  });
  givenUp.catch(() => undefined);
  const identity = child.pid === undefined ? undefined : identifyProcess(child.pid);
  try {
    await Promise.race([ready(exit.signal), ended, givenUp]);
    if (identity === undefined) throw new Error('it exited at once');
    return identity;
  } catch (error) {
    exit.abort();
    await stopProcess(identity);
    throw notReady(spec, ending || (error instanceof Error ? error.message : String(error)), error);
  } finally {
    spec.signal?.removeEventListener('abort', giveUp);
  }
}

function notReady(spec: ProcessSpec, why: string, cause: unknown): StackError {
  const tail = logTail(spec.logFile, 15);
  return new StackError(
    'service.not_ready',
    `${spec.name} did not become ready: ${why}${tail && `\n\nThe end of its log:\n${tail}`}`,
    `its log: ${spec.logFile}`,
    { cause },
  );
}
