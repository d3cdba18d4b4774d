import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A process that cannot be mistaken for a later one with the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Opaque: equal means the same process. Linux: clock ticks since boot and the boot's id; elsewhere what `ps` says. */
  readonly startedAt: string;
}

/** @returns undefined when there is no such process, or only its zombie */
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
    // The name, field 2, may hold spaces and brackets: count from the last bracket (proc(5)).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie answers kill(pid, 0) for as long as nobody reaps it, which in a container may be for ever.
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
    return undefined; // ps exits 1 when there is no such process
  }
}
