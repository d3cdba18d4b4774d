import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Identifies a process by its id and its start time, because the operating system reuses ids. */
export interface ProcessIdentity {
  readonly pid: number;
  /**
   * Opaque text. Two processes are the same if their ids and these texts are equal. On Linux, the text has
   * the id of the boot and the start time in clock ticks since boot. On other systems, it is the start time
   * that `ps` prints.
   */
  readonly startedAt: string;
}

/** @returns undefined if the process does not exist or is a zombie */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  const startedAt = process.platform === 'linux' ? startOnLinux(pid) : startFromPs(pid);
  return startedAt === undefined ? undefined : { pid, startedAt };
}

export function isRunning(identity: ProcessIdentity | null | undefined): boolean {
  return identity ? identifyProcess(identity.pid)?.startedAt === identity.startedAt : false;
}

function startOnLinux(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Field 2, the name, may contain spaces and parentheses, so fields are counted from the last parenthesis
    // (proc(5)).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // kill(pid, 0) succeeds for a zombie until its parent reaps it, which in a container may never happen.
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    return `${bootId()}/${fields[19] ?? ''}`;
  } catch {
    return undefined; // no such process
  }
}

function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
}

function startFromPs(pid: number): string | undefined {
  try {
    const options = { encoding: 'utf8', env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' } } as const;
    const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], options).trim();
    return line === '' || line.startsWith('Z') ? undefined : line.replace(/^\S+\s+/, '');
  } catch {
    return undefined; // ps exits with 1 if the process does not exist
  }
}
