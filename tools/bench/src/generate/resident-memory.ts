import { readFileSync, writeFileSync } from 'node:fs';

/** Resident memory of a process as Linux accounts for it; exact, without asking in between. */
export class ResidentMemory {
  private constructor(
    private readonly pid: number,
    private readonly startBytes: number,
  ) {}

  /** Forgets the highest value so far. @returns undefined where there is no /proc */
  static watch(pid: number): ResidentMemory | undefined {
    try {
      // "5" resets the peak (proc(5), /proc/pid/clear_refs).
      writeFileSync(`/proc/${pid}/clear_refs`, '5');
      return new ResidentMemory(pid, read(pid, 'VmRSS'));
    } catch {
      return undefined; // not Linux, or not our process: then there is no figure
    }
  }

  get start(): number {
    return this.startBytes;
  }

  /** The highest since `watch`. */
  peak(): number {
    return read(this.pid, 'VmHWM');
  }
}

/** A field of /proc/pid/status, in bytes. */
function read(pid: number, field: string): number {
  const found = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  if (!found?.[1]) throw new Error(`expected ${field} in /proc/${pid}/status, found none`);
  return Number(found[1]) * 1024;
}
