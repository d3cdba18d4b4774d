import fc from 'fast-check';

import type { TableRules } from './job-definition.js';
import { readTables, writeTables } from './table-text.js';

const rule = fc.constantFrom<unknown>(
  { preserve: true },
  { generator: 'template', pattern: '"\u2028é"' },
  { type: 'list', values: [2n ** 60n, 1e-7] },
);
const name = fc.constantFrom('id', '7', 'Odd Name', '__proto__', 'ü');
const columns = fc
  .uniqueArray(name)
  .chain((names) => fc.tuple(...names.map((one) => rule.map((written) => ({ name: one, rule: written })))));
const table: fc.Arbitrary<TableRules> = fc.record(
  {
    name: fc.constantFrom('t', 's."T"'),
    columns,
    unlistedColumns: fc.constantFrom('preserve' as const, 'null' as const),
    subset: fc.constantFrom({ where: "a = 'b'" }, { limit: 0 }),
  },
  { requiredKeys: ['name', 'columns'] },
);

/** Orders the columns as the members of an object. */
const inOrder = (tables: readonly TableRules[]): TableRules[] =>
  tables.map((one) => ({
    ...one,
    columns: one.columns.toSorted((a, b) => Number(b.name === '7') - Number(a.name === '7')),
  }));

describe('the text of tables', () => {
  it('has all parts of them', () => {
    fc.assert(
      fc.property(fc.array(table, { minLength: 1 }), (tables) => {
        expect(readTables(writeTables(tables))).toEqual(inOrder(tables));
      }),
    );
  });

  it.each([
    '',
    '[',
    'null',
    '[]',
    '{}',
    '[1]',
    '[{}]',
    '[{"name":"t","rules":{}}]',
    '[{"name":"t","columns":[1]}]',
    '[{"name":"t","subset":{"limit":-1}}]',
  ])('is refused if a request could not have such tables: %s', (text) => {
    expect(() => readTables(text)).toThrow();
  });
});
