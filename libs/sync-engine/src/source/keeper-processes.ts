import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { environmentVariable, EXTRA_AUTHORITIES } from '@understudy/postgres';

/**
 * The path of the compiled file. The keeper needs this file even if this process runs from the TypeScript
 * sources.
 */
const ENTRY = join(import.meta.dirname, '../../dist/source/snapshot-keeper-process.js');
/** How long a process without an order waits for the next job. */
const IDLE_MS = 10_000;

/** The connected processes without an order, with the timers that end them. */
const idle = new Map<ChildProcess, NodeJS.Timeout>();
/** The file with certificate authorities that each process has read at its start. */
const authoritiesOf = new WeakMap<ChildProcess, string | undefined>();

/** Returns a keeper process without an order. It starts a process unless one is idle that trusts the same authorities. */
export function takeKeeperProcess(): ChildProcess {
  const authorities = environmentVariable(EXTRA_AUTHORITIES);
  const fitting = [...idle].filter(([child]) => authoritiesOf.get(child) === authorities);
  const waiting = fitting.pop(); // the newest, so that others expire
  if (waiting === undefined) return startKeeperProcess(authorities);
  const [child, timer] = waiting;
  clearTimeout(timer);
  idle.delete(child);
  child.ref();
  child.channel?.ref();
  return child;
}

/**
 * Keeps a process without an order for the next job, for ten seconds at most. An idle process does not keep
 * this process running. It ends with this process, because their pipe closes.
 */
export function returnKeeperProcess(child: ChildProcess): void {
  if (!child.connected || child.killed) return;
  child.unref();
  child.channel?.unref();
  const end = () => {
    if (idle.delete(child)) child.disconnect();
  };
  idle.set(child, setTimeout(end, IDLE_MS).unref());
}

function startKeeperProcess(authorities: string | undefined): ChildProcess {
  // Other users of the machine can read a process's arguments and possibly its environment, so secrets go
  // through the pipe.
  const child = fork(ENTRY, [], {
    detached: true,
    execArgv: [],
    env: authorities === undefined ? {} : { [EXTRA_AUTHORITIES]: authorities },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  authoritiesOf.set(child, authorities);
  child.on('error', () => undefined);
  child.on('exit', () => idle.delete(child));
  return child;
}
