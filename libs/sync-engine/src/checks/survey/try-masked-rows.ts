import { type CellMask, type JobKeyMaterial, MaskingError } from '@understudy/masking';
import type { Check, Client, TableKeys } from '@understudy/postgres';
import type { TablePlan } from '../../plan/table-plan.js';
import { comparesOriginals, tryValues, type TriedColumn } from '../../plan/values/try-values.js';
import { chooseSample } from './choose-sample.js';
import { type MaskedRows, maskRows } from './mask-rows.js';

const BYTES = 2 * 1024 ** 2;
const PAGES = 64;
const ROWS = 10_000;

/**
 * Masks rows of a table, and lets the server check the new rows against types, domains, CHECK constraints, and the
 * expressions of indexes and generated columns. It tries only what invented values cannot show: rules that keep a part
 * of the original, and conditions that also read columns without rules or compare two originals. Must run in a
 * transaction.
 * @returns the columns with rules that do not fit; nothing about a table whose rows cannot be read
 */
export async function tryMaskedRows(
  client: Client,
  plan: TablePlan,
  masks: ReadonlyMap<string, CellMask>,
  { types, checks }: Pick<TableKeys, 'types' | 'checks'>,
  job: JobKeyMaterial,
): Promise<ReadonlySet<string>> {
  const partial = new Set(
    [...masks.values()].filter((mask) => 'leaves' in mask).map(({ column }) => column.name),
  );
  const mixed = checks.filter(
    ({ columns }) =>
      columns.some((name) => masks.has(name)) &&
      (columns.some((name) => partial.has(name) || !masks.has(name)) ||
        comparesOriginals(columns, masks.values())),
  );
  if (partial.size === 0 && mixed.length === 0) return new Set();
  await client.query('SAVEPOINT masked_rows');
  try {
    const { from } = await chooseSample(client, {
      table: { oid: plan.source.oid, name: plan.name },
      bytes: BYTES,
      pages: PAGES,
    });
    const more = [...new Set(mixed.flatMap(({ columns }) => columns))];
    const rows = await maskRows(client, { plan, masks, job, from, rows: ROWS, more, isOrdered: false });
    const fits = async (names: readonly string[], condition?: Check): Promise<boolean> => {
      const tried = (all: MaskedRows['after']): readonly TriedColumn[] =>
        names.flatMap((name) => {
          const [type, at] = [types.get(name), rows.columns.indexOf(name)];
          return type === undefined || at === -1
            ? []
            : [{ name, type, values: all.map((row) => row[at] ?? null) }];
        });
      // If the original rows do not fit either, the rule is not the reason.
      return (
        (await tryValues(client, tried(rows.after), condition)) ||
        !(await tryValues(client, tried(rows.before), condition))
      );
    };
    const broken = new Set<string>();
    for (const name of partial) if (!(await fits([name]))) broken.add(name);
    for (const condition of mixed) {
      const { columns } = condition;
      if (columns.some((name) => broken.has(name)) || (await fits(columns, condition))) continue;
      for (const name of columns.filter((name) => masks.has(name))) broken.add(name);
    }
    return broken;
  } catch (error) {
    await client.query('ROLLBACK TO SAVEPOINT masked_rows');
    if (error instanceof MaskingError) return new Set([error.column]);
    // For example, a timeout: the sample of the table has reported it already.
    if (isOfServer(error)) return new Set();
    throw error;
  } finally {
    await client.query('RELEASE SAVEPOINT masked_rows');
  }
}

function isOfServer(error: unknown): boolean {
  return /^[0-9A-Z]{5}$/.test(String((error as { readonly code?: unknown } | undefined)?.code));
}
