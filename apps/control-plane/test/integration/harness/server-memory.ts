import { readFileSync } from 'node:fs';

const SAMPLE_MS = 20;

/** Resident memory of a process as the kernel counts it, in bytes. Linux. */
export function residentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

/** The most that a process held while `work` ran. */
export async function peakDuring(pid: number, work: () => Promise<unknown>): Promise<number> {
  let peak = residentBytes(pid);
  const timer = setInterval(() => (peak = Math.max(peak, residentBytes(pid))), SAMPLE_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return Math.max(peak, residentBytes(pid));
}
