import { consistentId } from '@understudy/masking';
import { type Client, sqlNames } from '@understudy/postgres';
import { SyncJobError } from '@understudy/sync-job';
import type { ColumnLocation, JobKeys, Reference } from '../keys/job-keys.js';
import { keyFailure, keyIndexes } from '../keys/key-failure.js';
import type { TablePlan } from '../table-plan.js';
import { computesDifferent, type TriedColumn } from './try-values.js';

export interface TableToCheck {
  readonly plans: readonly TablePlan[];
  readonly keys: JobKeys;
  /** The index of the table's plan. */
  readonly plan: number;
  /** The columns of the table with rules, and values that their rules make. */
  readonly columns: readonly TriedColumn[];
}

/**
 * Refuses rules of a table that change a generated column of a foreign key. It accepts them if the column at the
 * other end changes with it. Otherwise, the references would point to other rows or to none. New values do not
 * depend on preserved ones, so it suffices that the generated column has different values for different new values.
 * @param client a client in a transaction, which computes the column
 * @throws SyncJobError rule_misfit, key_referenced_elsewhere
 */
export async function refuseComputedKeys(
  client: Client,
  { plans, keys, plan, columns }: TableToCheck,
): Promise<void> {
  const { types = new Map<string, never>(), checks = [] } = keys.tables[plan]?.written ?? {};
  for (const { computes, computed, columns: read } of checks) {
    const [masked] = columns.filter(({ name }) => read.includes(name));
    const [generated] = computed;
    if (computes === undefined || generated === undefined || masked === undefined) continue;
    const location = { plan, column: computes };
    const reference = keys.references.find((one) => isBroken(one, location, plans, keys));
    const isOutside = keys.sharedWithOutside.some((one) => isSame(one, location));
    if (reference === undefined && !isOutside) continue;
    // The other columns that the expression reads are NULL.
    const none = masked.values.map(() => null);
    const all = read.flatMap((name): readonly TriedColumn[] => {
      const type = types.get(name);
      const own = columns.find((one) => one.name === name);
      return own !== undefined ? [own] : type === undefined ? [] : [{ name, type, values: none }];
    });
    if (!(await computesDifferent(client, all, generated))) continue;
    const rule = { plan, column: masked.name };
    if (reference === undefined) throw keyFailure(plans, rule, 'key_referenced_elsewhere');
    const failure = {
      ...({ code: 'rule_misfit', constraintKind: 'foreign_key' } as const),
      ...keyIndexes(plans, rule),
    };
    const problems = [{ ...failure, ...sqlNames({ constraint: reference.name }) }];
    throw new SyncJobError(
      { ...failure, problems, problemCount: 1 },
      {
        cause: new Error(
          `the rule changes column ${computes}, which is part of the foreign key ${reference.name}`,
        ),
      },
    );
  }
}

/** Returns whether the column is at one end of the reference, and the other end has no values of the same rule. */
function isBroken(
  { from, to, columns }: Reference,
  location: ColumnLocation,
  plans: readonly TablePlan[],
  keys: JobKeys,
): boolean {
  const other = isSame(from, location) ? to : isSame(to, location) ? from : undefined;
  // A reference with a NULL references nothing.
  const isNull = columns.some((column) => fillOf(plans, { plan: from.plan, column })?.kind === 'null');
  return other !== undefined && !isNull && !sharesRule(location, other, plans, keys);
}

/**
 * Returns whether two columns, or those that they are computed from, have one rule with `consistent`. Only then do both
 * get the same new values.
 */
function sharesRule(
  a: ColumnLocation,
  b: ColumnLocation,
  plans: readonly TablePlan[],
  { tables }: JobKeys,
): boolean {
  const [ofA, ofB] = [a, b].map(({ plan, column }) => {
    const generated = tables[plan]?.written.checks.find(({ computes }) => computes === column);
    const fills = (generated?.columns ?? [column]).map((name) => fillOf(plans, { plan, column: name }));
    const rules = fills.flatMap((fill) => (fill?.kind === 'produce' ? fill.rule : []));
    return rules.map((rule) => (rule.kind === 'json' ? undefined : consistentId(rule)));
  });
  const [first] = ofA ?? [];
  return first !== undefined && ofB?.[0] === first && [...(ofA ?? []), ...ofB].every((id) => id === first);
}

function fillOf(plans: readonly TablePlan[], { plan, column }: ColumnLocation) {
  return plans[plan]?.columns.find(({ description }) => description.name === column)?.fill;
}

function isSame(a: ColumnLocation, b: ColumnLocation): boolean {
  return a.plan === b.plan && a.column === b.column;
}
