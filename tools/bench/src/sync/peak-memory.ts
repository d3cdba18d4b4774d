import { readFileSync, writeFileSync } from 'node:fs';

/** The greatest resident memory of a process, as Linux keeps it. */
export class PeakMemory {
  constructor(private readonly pid: number | undefined) {}

  /** Counts anew from now on. */
  reset(): void {
    // "5" resets the peak (Linux, proc(5), clear_refs); elsewhere the peak stays that of the whole life.
    this.tolerant(() => {
      writeFileSync(`/proc/${this.pid}/clear_refs`, '5');
    });
  }

  /** @returns bytes; null when the system does not tell */
  read(): number | null {
    let peak: number | null = null;
    this.tolerant(() => {
      const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8'))?.[1];
      peak = kibibytes === undefined ? null : Number(kibibytes) * 1024;
    });
    return peak;
  }

  private tolerant(work: () => void): void {
    try {
      work();
    } catch {
      // no /proc, or not ours to read
    }
  }
}
