import { readFileSync, writeFileSync } from 'node:fs';

/** Reads the resident memory of a process from /proc. A value is null if the system does not provide it. */
export class ProcessMemory {
  constructor(private readonly pid: number | null | undefined) {}

  /**
   * Starts a new measurement of the peak.
   * @returns false if the system cannot reset the peak, which then covers the whole life of the process
   */
  resetPeak(): boolean {
    try {
      // "5" resets the peak (Linux, proc(5), /proc/pid/clear_refs).
      writeFileSync(`/proc/${this.pid}/clear_refs`, '5');
      return true;
    } catch {
      return false; // not Linux, or not a process of this user
    }
  }

  residentBytes(): number | null {
    return this.read('VmRSS');
  }

  peakBytes(): number | null {
    return this.read('VmHWM');
  }

  private read(field: string): number | null {
    try {
      const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
      const kibibytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
      return kibibytes === undefined ? null : Number(kibibytes) * 1024;
    } catch {
      return null; // no /proc, or not readable
    }
  }
}
