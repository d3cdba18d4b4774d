import { STEPS } from '../faults/steps.js';
import { SNAPSHOT_DATABASE, TARGET_DATABASE, type TestSystem } from '../system/test-system.js';
import { hasEnded } from '../system/control-plane-api.js';
import type { Content, Position } from './position.js';

/** The end of a change. */
export interface End {
  readonly isCompleted: boolean;
  readonly code: string | null;
  readonly attempts: number;
}

/** The last job or restore that has replaced the target. */
export interface Replacement {
  readonly kind: 'job' | 'restore';
  readonly id: string;
  readonly reverts: number;
}

/** A change of the target that is under way. */
export interface BegunChange {
  readonly id: string;
  /** @returns undefined until the change has ended */
  ended(): Promise<End | undefined>;
  /** Lets the time pass after which the control plane repeats its command. */
  repeat(): Promise<void>;
  /** The position that a completed change gives; the oid of a new database is not known before. */
  expected(position: Position, found: Position): Position;
  /** The last replacement, if the change completes. */
  readonly last: Replacement;
}

export interface Change {
  readonly name: string;
  /** The steps at which a fault can disturb it. */
  readonly steps: readonly string[];
  /** The step before the statement that decides. */
  readonly before: string;
  isPossible(last: Replacement | undefined, position: Position): boolean;
  begin(system: TestSystem, last: Replacement | undefined, contents: Contents): Promise<BegunChange>;
}

/** The fingerprints of the results of undisturbed changes. */
export interface Contents {
  /** Those of the jobs, by seed. */
  readonly jobs: ReadonlyMap<number, string>;
  readonly snapshotId: string;
  readonly restored: string;
}

const SECONDS_30 = '30 seconds';

/** A job that replaces the database. Each seed gives other rows. */
export function jobWith(seed: number): Change {
  return {
    name: `a job with seed ${seed}`,
    steps: STEPS.filter((step) => step !== 'models_trained'),
    before: 'before_commit',
    isPossible: () => true,
    async begin(system, _last, { jobs }) {
      const id = await system.startJob('history', { seed });
      return {
        id,
        async ended() {
          const job = await system.api.jobs.get(id);
          if (!hasEnded(job)) return undefined;
          const { attempts, error } = job;
          return { isCompleted: job.status === 'completed', code: error?.code ?? null, attempts };
        },
        repeat: () => Promise.resolve(),
        expected: replacedBy(jobs.get(seed) ?? ''),
        last: { kind: 'job', id, reverts: 0 },
      };
    },
  };
}

export const RESTORE: Change = {
  name: 'a restore',
  steps: [
    'target_locked',
    'restore_database_created',
    'loaded',
    'before_switch',
    'switched',
    'old_dropped',
    'reported',
  ],
  before: 'before_switch',
  isPossible: () => true,
  async begin(system, _last, { snapshotId, restored }) {
    const request = { target_database: `agent:${TARGET_DATABASE}`, overwrite: true };
    const { restore_id: id } = await system.api.snapshots.restore(snapshotId, request);
    return {
      id,
      async ended() {
        const { status, error, attempts } = await system.api.snapshots.getRestore(snapshotId, id);
        if (status !== 'completed' && status !== 'failed') return undefined;
        return { isCompleted: status === 'completed', code: error?.code ?? null, attempts };
      },
      repeat: () => Promise.resolve(),
      expected: replacedBy(restored),
      last: { kind: 'restore', id, reverts: 0 },
    };
  },
};

export const REVERT: Change = {
  name: 'a revert',
  steps: ['before_commit', 'committed', 'reported'],
  before: 'before_commit',
  isPossible: (last, { kept }) => last?.kind === 'job' && kept !== undefined,
  async begin(system, last) {
    if (last === undefined) throw new Error('there is nothing to revert');
    const { revert_id: id } = await system.api.jobs.revert(last.id);
    return {
      id,
      async ended() {
        const { status, error } = await system.api.jobs.getRevert(last.id, id);
        if (status === 'pending') return undefined;
        const [row] = await system.controlRows<{ attempts: number }>(
          'SELECT attempts FROM sync_job_reverts WHERE id = $1',
          [id],
        );
        return {
          isCompleted: status === 'completed',
          code: error?.code ?? null,
          attempts: row?.attempts ?? 0,
        };
      },
      repeat: () => letPass(system, 'sync_job_reverts', 'id', id, SECONDS_30),
      expected: ({ target, kept }, found) => ({
        target: { ...(kept ?? target), name: TARGET_DATABASE },
        kept: { ...target, name: found.kept?.name ?? '' },
      }),
      last: { ...last, reverts: last.reverts + 1 },
    };
  },
};

export const DROP: Change = {
  name: 'the drop of the kept database',
  steps: ['before_commit', 'committed', 'reported'],
  before: 'before_commit',
  isPossible: (last, { kept }) => last !== undefined && kept !== undefined,
  async begin(system, last) {
    if (last === undefined) throw new Error('there is nothing to drop');
    const { id } = last;
    // The control plane decides by its clock, so its time passes.
    await system.controlRows('UPDATE kept_databases SET kept_until = now() WHERE work_id = $1', [id]);
    return {
      id,
      async ended() {
        const rows = await system.controlRows('SELECT FROM kept_databases WHERE work_id = $1', [id]);
        return rows.length > 0 ? undefined : { isCompleted: true, code: null, attempts: 1 };
      },
      repeat: () => letPass(system, 'kept_databases', 'work_id', id, '2 minutes'),
      expected: ({ target }) => ({ target }),
      last,
    };
  },
};

function replacedBy(fingerprint: string): BegunChange['expected'] {
  return ({ target }, found) => ({
    target: { ...found.target, fingerprint },
    kept: { ...target, name: found.kept?.name ?? '' } satisfies Content,
  });
}

async function letPass(
  system: TestSystem,
  table: string,
  key: string,
  id: string,
  time: string,
): Promise<void> {
  await system.controlRows(`UPDATE ${table} SET sent_at = sent_at - interval '${time}' WHERE ${key} = $1`, [
    id,
  ]);
}

/** Takes the snapshot that restores use. */
export async function takeSnapshot(system: TestSystem): Promise<string> {
  const database = `agent:${SNAPSHOT_DATABASE}`;
  const { id } = await system.api.snapshots.create({ name: 'faults', database });
  await system.until(async () => (await system.api.snapshots.get(id)).status === 'ready');
  return id;
}
