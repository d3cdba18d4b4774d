import { type Session, withinTime } from '@understudy/postgres';
import { type PlannedRules, planRules } from './plan-rules.js';
import { type PlanRequest, planTables } from './preflight/preflight.js';
import { planSubset } from './subset/plan-subset.js';
import type { TablePlan } from './table-plan.js';

export interface JobToPlan extends PlanRequest {
  readonly signal: AbortSignal;
  /** Sessions in which {@link planTables} runs with the time limits of `withinTime`. */
  readonly limited?: readonly Session[];
}

/** Callbacks between the steps of {@link planJob}. */
export interface PlanningHooks {
  /** Called after the tables are planned, before their rows are chosen. */
  readonly onTables?: (tables: readonly TablePlan[]) => Promise<void>;
  /** Called after the rows are chosen, before the rules are planned. @returns false to stop here */
  readonly onRows?: (tables: readonly TablePlan[]) => Promise<boolean>;
}

/** Runs one step. @returns undefined if the step failed and its failure was recorded */
export type RunStep = <T>(step: () => Promise<T>) => Promise<T | undefined>;

/**
 * Plans a job in three steps: its tables, the rows to copy, and the rules of its columns. The third step
 * propagates rules along foreign keys.
 * @throws SyncJobError as {@link planTables}, {@link planSubset} and {@link planRules}
 */
export function planJob(job: JobToPlan, hooks?: PlanningHooks): Promise<PlannedRules>;
/** @returns undefined if a step failed or a hook stopped the planning */
export function planJob(
  job: JobToPlan,
  hooks: PlanningHooks & { readonly run: RunStep },
): Promise<PlannedRules | undefined>;
export async function planJob(
  job: JobToPlan,
  { run = (step) => step(), onTables, onRows }: PlanningHooks & { readonly run?: RunStep } = {},
): Promise<PlannedRules | undefined> {
  const { source, target, contexts, limited } = job;
  const tables = await run(() =>
    limited === undefined ? planTables(job) : withinTime(limited, () => planTables(job)),
  );
  if (tables === undefined) return undefined;
  await onTables?.(tables);
  const plans = await run(() => planSubset({ ...job, plans: tables }));
  if (plans === undefined || (await onRows?.(plans)) === false) return undefined;
  const clients = { source, target: target.client, contexts };
  return run(() => planRules(plans, clients, job.command.orphans));
}
