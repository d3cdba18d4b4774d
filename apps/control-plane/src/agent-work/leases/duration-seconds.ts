import type { WorkState } from './work-state.js';

/** Whole seconds from the start to the end; 0 for work that never started. */
export function durationSeconds({ startedAt, completedAt }: WorkState): number {
  if (startedAt === null || completedAt === null) return 0;
  return Math.round((completedAt.getTime() - startedAt.getTime()) / 1000);
}
