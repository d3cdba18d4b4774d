import { compileAll, type JobMasks } from '../../plan/compile-masks.js';
import type { BuiltinLibrary } from '@understudy/builtin-models';
import type { JobKeyMaterial } from '@understudy/masking';
import { describeTable, type Client, parseTableName } from '@understudy/postgres';
import { FailureContexts } from '../../session/failure-contexts.js';
import { type JobKeys, readJobKeys } from '../../plan/keys/job-keys.js';
import { propagateKeyRules } from '../../plan/keys/propagate-key-rules.js';
import { planColumns } from '../../plan/plan-columns.js';
import { located } from '../../session/located-client.js';
import { type DatabaseSide, type TableRules, SyncJobError } from '@understudy/sync-job';
import type { TablePlan } from '../../plan/table-plan.js';

/** The plan that a job would have for some tables. It is computed without a target database. */
export interface PlannedTables {
  readonly plans: readonly TablePlan[];
  readonly keys: JobKeys;
  readonly masks: JobMasks;
}

/**
 * Plans and compiles rules in the same way as a job. Must run in a transaction.
 * @throws SyncJobError rule_invalid, key_rules_contradict or any other problem that a job's preflight finds
 * in rules
 */
export async function planRulesOf(
  client: Client,
  tables: readonly TableRules[],
  job: JobKeyMaterial,
  { models, assets, registry }: BuiltinLibrary,
): Promise<PlannedTables> {
  const plans: TablePlan[] = [];
  for (const [index, rules] of tables.entries()) {
    const name = parseTableName(rules.name);
    const source = name && (await describeTable(client, name));
    if (source === undefined)
      throw new SyncJobError({ code: 'table_not_found', side: 'source', tableIndex: index });
    const columns = planColumns({
      ...{ tableIndex: index, rules, source },
      unlisted: 'preserve',
      refusesPreserve: () => false,
      trainingFloor: () => 1,
    });
    const columnIndex = new Map(rules.columns.map((column, i) => [column.name, i]));
    plans.push({ index, name: source.name, source, target: undefined, columns, columnIndex });
  }
  const contexts = new FailureContexts({ tables });
  const on = (side: DatabaseSide) => located(client, contexts.on(side));
  const keys = await readJobKeys(plans, { source: on('source'), target: on('target') });
  const propagated = propagateKeyRules(plans, keys);
  const context = {
    ...{ job, assets, registry },
    // A hash distinguishes different files of one model. Here each model has only one file, so the id is
    // enough.
    models: (id: string) => {
      const model = models(id);
      return model === undefined ? undefined : { model, hash: id };
    },
  };
  return { plans: propagated, keys, masks: compileAll(propagated, context) };
}
