import type { ListedSnapshot, Snapshot } from '@understudy/client';
import type { Phase } from '@understudy/ui';

import { TEXTS } from './texts.js';

/** The phases of the creation of a snapshot, and of a restore, in order. */
export const SNAPSHOT_PHASES = ['preflight', 'dumping', 'finishing'] as const;
export const RESTORE_PHASES = ['preflight', 'checking', 'loading', 'switching'] as const;

const LABELS = { ...TEXTS.phases, ...TEXTS.restore.phases };

/**
 * Returns the state of each phase of work that has not failed.
 * @param current the phase that the agent reported last. Null before the first one
 */
export function phasesOf(ids: readonly string[], current: string | null, isDone: boolean): readonly Phase[] {
  const at = current === null ? -1 : ids.indexOf(current);
  return ids.map((id, index) => ({
    id,
    label: LABELS[id] ?? id,
    state: stateOf(index, isDone ? ids.length : at),
  }));
}

function stateOf(index: number, at: number): Phase['state'] {
  if (index === at) return 'running';
  return index < at ? 'done' : 'waiting';
}

/** Returns the name of a phase for a reader. */
export function phaseLabel(phase: string): string {
  return LABELS[phase] ?? phase;
}

/** Returns the status to show. Only a whole snapshot shows that it waits for an agent. */
export function statusOf(snapshot: ListedSnapshot | Snapshot): string {
  const isWaiting =
    snapshot.status === 'creating' && 'started_at' in snapshot && snapshot.started_at === null;
  return isWaiting ? 'waiting' : snapshot.status;
}
