import { MaskingError, sampleValues } from '@understudy/masking';
import { guard } from '../../session/guard.js';
import type { Client } from '@understudy/postgres';
import { producedColumns, type TableMasks } from '../compile-masks.js';
import type { FailureContexts } from '../../session/failure-contexts.js';
import type { JobKeys } from '../keys/job-keys.js';
import { SyncJobError, type SyncFailureCode } from '@understudy/sync-job';
import type { TablePlan } from '../table-plan.js';
import { tryValues, type TriedColumn } from './try-values.js';

export interface ValuesToCheck {
  readonly plans: readonly TablePlan[];
  /** By plan, in their order. */
  readonly masks: readonly TableMasks[];
  readonly keys: JobKeys;
  /** In a transaction. */
  readonly source: Client;
  /** In a transaction. */
  readonly target: Client;
  readonly contexts: FailureContexts;
}

/** Values of each rule that the server is asked about. */
const SAMPLED = 100;

/**
 * Tries what the rules make against the types, domains and CHECK constraints of the columns that it is for, on the target, or on the source
 * for tables that the job creates: a hundred rows of made-up keys for each table.
 * @throws SyncJobError rule_misfit
 */
export async function checkValues(request: ValuesToCheck): Promise<void> {
  for (const [plan, table] of request.plans.entries()) {
    const masks = [...(request.masks[plan]?.values() ?? [])];
    if (masks.length === 0) continue;
    const { types, checks } = request.keys.tables[plan]?.written ?? { types: new Map(), checks: [] };
    const columns = triedColumns(table, masks, types);
    const side = table.target === undefined ? 'source' : 'target';
    const client = request[side];
    await guard(request.contexts.on(side, table.index), async () => {
      for (const column of columns) {
        const isNullRefused = column.type.notNull && column.values.includes(null);
        if (isNullRefused || !(await tryValues(client, [column]))) misfit(table, column.name);
      }
      for (const check of checks) {
        const read = columns.filter(({ name }) => check.columns.includes(name));
        if (read.length === 0 || read.length < check.columns.length) continue;
        if (!(await tryValues(client, read, check.expression))) misfit(table, read[0]?.name ?? '');
      }
    });
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
    throw failure(table, cause.column, cause.code, cause);
  }
}

function misfit(table: TablePlan, column: string): never {
  throw failure(table, column, 'rule_misfit', new Error(`what the rule makes does not fit column ${column}`));
}

function failure(table: TablePlan, column: string, code: SyncFailureCode, cause: Error): SyncJobError {
  const columnIndex = table.columnIndex.get(column);
  const place = columnIndex === undefined ? {} : { columnIndex };
  return new SyncJobError({ code, tableIndex: table.index, ...place }, { cause });
}
