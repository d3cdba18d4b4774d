import { readFileSync } from 'node:fs';

/** The unit of times in /proc, which is the same on all common architectures (proc(5), /proc/pid/stat). */
const TICKS_PER_SECOND = 100;
/** Positions of utime and stime, counted after the name of the program, which can contain spaces. */
const [USER, SYSTEM] = [11, 12] as const;

/**
 * Reads the CPU time that a process has used so far, in seconds with two decimals.
 * @returns null if the process has ended, or the system has no /proc
 */
export function cpuSecondsOf(pid: number | undefined): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[USER]) + Number(fields[SYSTEM])) / TICKS_PER_SECOND;
  } catch {
    return null; // no /proc, or not readable
  }
}
