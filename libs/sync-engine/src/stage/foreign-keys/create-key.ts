import { sqlstateOf } from '@understudy/postgres';
import { type OrphanMode, SyncJobError } from '@understudy/sync-job';
import { keepsReferences, type NamedKey, orphanProblem } from '../../plan/orphans/orphan-problem.js';
import type { TablePlan } from '../../plan/table-plan.js';
import { driverError } from '../../session/guard.js';
import type { LocatedClient } from '../../session/located-client.js';
import type { KeySql } from './staged-key.js';

/** A foreign key to create on tables with rows. */
export interface NewKey extends NamedKey, KeySql {
  readonly tableIndex: number | undefined;
  /** Undefined if the key references rows that the job does not copy. */
  readonly referencedIndex?: number | undefined;
}

export interface KeyContext {
  readonly plans: readonly TablePlan[];
  readonly orphans: OrphanMode;
}

/**
 * Creates a key in the client's transaction, and validates it.
 * @returns false if rows violate the key and the job keeps them, so that the key stays NOT VALID
 * @throws SyncJobError orphans_found, constraint_violation, constraint_broken_by_rule
 */
export async function createKey(client: LocatedClient, key: NewKey, context: KeyContext): Promise<boolean> {
  const onTable = client.at(key.tableIndex ?? key.referencedIndex);
  const validate = async (sql: string) => {
    try {
      await onTable.query(sql);
    } catch (error) {
      throw orphansFound(error, key, context.plans);
    }
  };
  if (!mayKeep(key, context)) {
    await validate(key.validating === '' ? key.adding : `${key.adding}; ${key.validating}`);
    return true;
  }
  await onTable.query(`${key.adding}; SAVEPOINT validating`);
  try {
    await validate(`${key.validating}; RELEASE SAVEPOINT validating`);
    return true;
  } catch (error) {
    if (!isOrphanFailure(error)) throw error;
    await onTable.query('ROLLBACK TO SAVEPOINT validating; RELEASE SAVEPOINT validating');
    return false;
  }
}

/** Tests whether the job keeps rows that violate the key. */
export function mayKeep(
  { validating, tableIndex, referencedIndex }: NewKey,
  { orphans }: KeyContext,
): boolean {
  return (
    orphans === 'not_valid' && validating !== '' && tableIndex !== undefined && referencedIndex !== undefined
  );
}

export function isOrphanFailure(error: unknown): boolean {
  return error instanceof SyncJobError && error.failure.code === 'orphans_found';
}

/**
 * Returns the failure `orphans_found` for an error that validating a key between tables of the job has raised because of
 * rows of the source, or else the error. Rules can also make values that reference nothing.
 */
export function orphansFound(error: unknown, key: NewKey, plans: readonly TablePlan[]): unknown {
  if (sqlstateOf(error) !== FOREIGN_KEY_VIOLATION || key.referencedIndex === undefined) return error;
  const plan = plans.find(({ index }) => index === key.tableIndex);
  if (plan === undefined || !keepsReferences(plan, key.columns)) return error;
  const problem = orphanProblem(plan, key);
  const { code, side, tableIndex, columnIndex, constraintKind } = problem;
  return new SyncJobError(
    {
      ...{ code, side, tableIndex, constraintKind },
      ...(columnIndex === undefined ? {} : { columnIndex }),
      ...{ problems: [problem], problemCount: 1 },
    },
    { cause: driverError(error) },
  );
}

const FOREIGN_KEY_VIOLATION = '23503';
