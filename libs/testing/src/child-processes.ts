import { readFileSync } from 'node:fs';

/** Returns the ids of a process's children and of their children. Empty on systems without `/proc`. */
export function childrenOf(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return children === ''
      ? []
      : children
          .split(' ')
          .map(Number)
          .flatMap((child) => [child, ...childrenOf(child)]);
  } catch {
    return []; // the process has ended
  }
}

/** Kills processes with SIGKILL. Ignores those that have ended. */
export function killAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // it has ended
    }
  }
}
