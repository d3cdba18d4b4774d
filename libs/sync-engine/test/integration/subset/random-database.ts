import fc from 'fast-check';
import { quoteIdentifier as quoted } from '@understudy/postgres';

/**
 * A small database. Every table has the column `r` (the row number), the column `v` for conditions, and a key
 * of one or two columns.
 */
export interface RandomDatabase {
  readonly tables: readonly RandomTable[];
  readonly links: readonly RandomLink[];
}

export interface RandomTable {
  readonly name: string;
  readonly keyColumns: 1 | 2;
  readonly isPartitioned: boolean;
  readonly rows: readonly { readonly v: number | null }[];
  readonly subset: { readonly below?: number; readonly limit?: number } | undefined;
}

export interface RandomLink {
  readonly child: number;
  readonly parent: number;
  /** The number of the parent row that each row of the child references; null if it references none. */
  readonly targets: readonly (number | null)[];
  readonly halfNull: boolean;
  /** True if each partition of the child has the foreign key, and the child itself has not. */
  readonly ofPartitions: boolean;
}

const table = (index: number): fc.Arbitrary<RandomTable> =>
  fc.record({
    name: fc.constantFrom(`t${index}`, `Odd "${index}`),
    keyColumns: fc.constantFrom(1, 2),
    isPartitioned: fc.boolean().map((yes) => yes && index % 3 === 1),
    rows: fc.array(fc.record({ v: fc.option(fc.nat(9), { freq: 8 }) }), { maxLength: 12 }),
    subset: fc.option(
      fc
        .record({ below: fc.nat(10), limit: fc.nat(8) }, { requiredKeys: [] })
        .filter((s) => Object.keys(s).length > 0),
      { freq: 1, nil: undefined },
    ),
  });

export const randomDatabase: fc.Arbitrary<RandomDatabase> = fc
  .integer({ min: 1, max: 5 })
  .chain((count) => fc.tuple(...Array.from({ length: count }, (_, index) => table(index))))
  .chain((tables) => {
    const link = fc
      .tuple(fc.nat(tables.length - 1), fc.nat(tables.length - 1), fc.boolean(), fc.boolean())
      .chain(([child, parent, halfNull, ofPartitions]) => {
        const parents = tables[parent]?.rows.length ?? 0;
        const target = parents === 0 ? fc.constant(null) : fc.option(fc.nat(parents - 1), { freq: 5 });
        const length = tables[child]?.rows.length ?? 0;
        return fc
          .array(target, { minLength: length, maxLength: length })
          .map((targets): RandomLink => ({ child, parent, targets, halfNull, ofPartitions }));
      });
    return fc.array(link, { maxLength: 7 }).map((links) => ({ tables, links }));
  });

/**
 * Returns the key of a row. Rows are written in descending order of their keys, so that a test detects if `limit` does
 * not use the order of the keys.
 */
export function keyOf({ rows }: RandomTable, row: number): number {
  return rows.length - row;
}

/** Returns SQL that creates the database. Rows are wide, so that tables have several pages. */
export function createSql(schema: string, { tables, links }: RandomDatabase): string {
  const statements: string[] = [`CREATE SCHEMA ${schema}`];
  for (const [index, { name, keyColumns, isPartitioned }] of tables.entries()) {
    const references = links
      .map((link, i) => ({ link, i }))
      .filter(({ link }) => link.child === index)
      .flatMap(({ link, i }) => partsOf(tables[link.parent]?.keyColumns).map((part) => `f${i}_${part} int`));
    const columns = [
      'r int',
      'v int',
      `filler char(1500) DEFAULT ''`,
      ...partsOf(keyColumns).map((part) => `k${part} int`),
    ];
    const key = `PRIMARY KEY (${partsOf(keyColumns)
      .map((part) => `k${part}`)
      .join(', ')})`;
    const full = `${schema}.${quoted(name)}`;
    statements.push(
      `CREATE TABLE ${full} (${[...columns, ...references, key].join(', ')})${isPartitioned ? ' PARTITION BY HASH (k1)' : ''}`,
      `ALTER TABLE ${full} ALTER filler SET STORAGE PLAIN`,
    );
    if (!isPartitioned) continue;
    for (const part of [0, 1]) {
      statements.push(
        `CREATE TABLE ${schema}.p${index}_${part} PARTITION OF ${full} FOR VALUES WITH (MODULUS 2, REMAINDER ${part})`,
      );
    }
  }
  for (const [index, table] of tables.entries()) {
    const own = links.map((link, i) => ({ link, i })).filter(({ link }) => link.child === index);
    const names = [
      'r',
      'v',
      ...partsOf(table.keyColumns).map((part) => `k${part}`),
      ...own.flatMap(({ link, i }) =>
        partsOf(tables[link.parent]?.keyColumns).map((part) => `f${i}_${part}`),
      ),
    ];
    const rows = table.rows.map(({ v }, row) => [
      row,
      v,
      ...partsOf(table.keyColumns).map((part) => (part === 1 ? keyOf(table, row) : 7)),
      ...own.flatMap(({ link }) => referenceTo(tables[link.parent], link, row)),
    ]);
    if (rows.length > 0) {
      statements.push(
        `INSERT INTO ${schema}.${quoted(table.name)} (${names.join(', ')}) VALUES ${rows
          .map((row) => `(${row.map((value) => value ?? 'NULL').join(', ')})`)
          .join(', ')}`,
      );
    }
  }
  for (const [i, { child, parent, ofPartitions }] of links.entries()) {
    const parts = partsOf(tables[parent]?.keyColumns);
    const children =
      ofPartitions && tables[child]?.isPartitioned === true
        ? [0, 1].map((part) => `p${child}_${part}`)
        : [quoted(tables[child]?.name ?? '')];
    statements.push(
      ...children.map(
        (name) =>
          `ALTER TABLE ${schema}.${name} ADD FOREIGN KEY (${parts.map((part) => `f${i}_${part}`).join(', ')}) REFERENCES ${schema}.${quoted(tables[parent]?.name ?? '')} (${parts.map((part) => `k${part}`).join(', ')})`,
      ),
    );
  }
  return statements.join(';\n');
}

function partsOf(keyColumns: number | undefined): readonly number[] {
  return keyColumns === 2 ? [1, 2] : [1];
}

function referenceTo(
  parent: RandomTable | undefined,
  { targets, halfNull }: RandomLink,
  row: number,
): (number | null)[] {
  const target = targets[row] ?? null;
  if (parent === undefined) return [];
  if (target === null) return partsOf(parent.keyColumns).map((part) => (halfNull && part === 2 ? 7 : null));
  return partsOf(parent.keyColumns).map((part) => (part === 1 ? keyOf(parent, target) : 7));
}
