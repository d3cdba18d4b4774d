import type { CellMask } from '@understudy/masking';
import { copyLayout } from './copy-layout.js';
import type { TablePlan } from '../plan/table-plan.js';
import { copyFormat } from './copy-format.js';

const [INT8, TEXT, INTERVAL, NUMERIC, ENUM] = [20, 25, 1186, 1700, 20_000];
const MASK = { column: { name: 'email' }, plan: {}, references: [] } as unknown as CellMask;

/**
 * Builds a plan with columns of the given types. The first column is the primary key. The column `email` has
 * a rule.
 */
function plan(
  types: Readonly<Record<string, number>>,
  targetTypes?: Readonly<Record<string, number>>,
): TablePlan {
  const columnsOf = (of: Readonly<Record<string, number>>) =>
    Object.entries(of).map(([name, type], i) => ({ name, type, ...(i === 0 ? { keyPosition: 1 } : {}) }));
  const source = { columns: columnsOf(types) };
  const columns = source.columns.map((description) => ({
    description,
    fill: description.name === 'email' ? { kind: 'produce' } : { kind: 'preserve' },
  }));
  return {
    source,
    target: targetTypes && { columns: columnsOf(targetTypes) },
    columns,
  } as unknown as TablePlan;
}

function formatOf(table: TablePlan, mask = MASK, isStagedAsText = false): string {
  const masks = new Map([['email', mask]]);
  return copyFormat(table, masks, copyLayout(table, masks), isStagedAsText);
}

describe('the format of a copy', () => {
  const types = { id: INT8, email: TEXT, amount: NUMERIC };

  it('is binary for built-in types that are the same on both sides', () => {
    expect(formatOf(plan(types))).toBe('binary');
    expect(formatOf(plan(types, types))).toBe('binary');
  });

  it('is text for types that are not built in, types that differ on the target, and staging as text', () => {
    expect(formatOf(plan({ ...types, mood: ENUM }))).toBe('text');
    expect(formatOf(plan(types, { ...types, amount: INT8 }))).toBe('text');
    expect(formatOf(plan(types), MASK, true)).toBe('text');
  });

  it('is text for intervals, because servers before PostgreSQL 17 read an infinite one in binary as a finite one', () => {
    expect(formatOf(plan({ ...types, lasting: INTERVAL }))).toBe('text');
  });

  it('is text for keys without a known text form and for rules that read the original or produce no text', () => {
    expect(formatOf(plan({ id: NUMERIC, email: TEXT }))).toBe('text');
    expect(formatOf(plan(types), { ...MASK, originalKey: {} } as unknown as CellMask)).toBe('text');
    expect(formatOf(plan({ ...types, email: NUMERIC }))).toBe('text');
  });
});
