import { MaskingError, sampleValues } from '@understudy/masking';
import { releasingLocks } from '@understudy/postgres';
import { producedColumns, type TableMasks } from '../compile-masks.js';
import type { LocatedClient } from '../../session/located-client.js';
import type { JobKeys } from '../keys/job-keys.js';
import { type ConstraintKind, defined, SyncJobError } from '@understudy/sync-job';
import { columnFailure, columnPosition } from '../problems/column-failure.js';
import type { TablePlan } from '../table-plan.js';
import { refuseComputedKeys } from './refuse-computed-keys.js';
import { comparesOriginals, tryValues, type TriedColumn } from './try-values.js';

export interface ValuesToCheck {
  readonly plans: readonly TablePlan[];
  /** The masks of the tables, in the order of `plans`. */
  readonly masks: readonly TableMasks[];
  readonly keys: JobKeys;
  /** A client in a transaction. */
  readonly source: LocatedClient;
  /** A client in a transaction. */
  readonly target: LocatedClient;
}

/** The number of values that are checked for each rule. */
const SAMPLED = 100;

/**
 * Checks that the values of each rule fit the types, domains and CHECK constraints of their columns, and that the server
 * can evaluate indexes and generated columns with them. For each
 * table, the rules make the values of a hundred invented rows. The target's server checks these values. If
 * the job creates the table, the source's server checks them.
 * @throws SyncJobError rule_misfit, generation_failed, key_referenced_elsewhere
 */
export async function checkValues(request: ValuesToCheck): Promise<void> {
  for (const [plan, table] of request.plans.entries()) {
    const masks = [...(request.masks[plan]?.values() ?? [])];
    if (masks.length === 0) continue;
    const { types, checks } = request.keys.tables[plan]?.written ?? { types: new Map(), checks: [] };
    const columns = triedColumns(table, masks, types);
    const client = request[table.target === undefined ? 'source' : 'target'].at(table.index);
    const check = async (): Promise<void> => {
      for (const column of columns) {
        const isNullRefused = column.type.notNull && column.values.includes(null);
        if (isNullRefused) throw mismatch(table, column.name, 'not_null');
        if (!(await tryValues(client, [column]))) throw mismatch(table, column.name);
      }
      for (const condition of checks) {
        const read = columns.filter(({ name }) => condition.columns.includes(name));
        if (read.length === 0 || read.length < condition.columns.length) continue;
        if (comparesOriginals(condition.columns, masks)) continue;
        if (!(await tryValues(client, read, condition)))
          throw mismatch(table, read[0]?.name ?? '', condition.isConstraint ? 'check' : undefined);
      }
      await refuseComputedKeys(client, { ...request, plan, columns });
    };
    await releasingLocks(client, check);
  }
}

function triedColumns(
  table: TablePlan,
  masks: readonly Parameters<typeof sampleValues>[0][number][],
  types: JobKeys['tables'][number]['written']['types'],
): readonly TriedColumn[] {
  try {
    const samples = sampleValues(masks, producedColumns(table), SAMPLED);
    return [...samples].flatMap(([name, values]) => {
      const type = types.get(name);
      return type === undefined ? [] : [{ name, type, values }];
    });
  } catch (cause) {
    if (!(cause instanceof MaskingError)) throw cause;
    throw columnFailure(table, cause.column, cause.code, cause);
  }
}

/** @param constraintKind the constraint that the values violate; undefined for a type, a domain or an expression */
function mismatch(table: TablePlan, column: string, constraintKind?: ConstraintKind): SyncJobError {
  const cause = new Error(`the values of the rule do not fit column ${column}`);
  const failure = { code: 'rule_misfit', ...columnPosition(table, column) } as const;
  return new SyncJobError({ ...failure, ...defined({ constraintKind }) }, { cause });
}
