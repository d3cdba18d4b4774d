import fc from 'fast-check';

import { readTableName, writeTableName } from './table-name.js';

describe('readTableName', () => {
  it.each([
    ['customers', 'public', 'customers'],
    ['Customers', 'public', 'customers'],
    ['sales.Orders', 'sales', 'orders'],
    ['"Odd Schema"."T"', 'Odd Schema', 'T'],
    ['"a""b"', 'public', 'a"b'],
    ['"with.dot"', 'public', 'with.dot'],
    ['überweisung', 'public', 'überweisung'],
  ])('reads %s', (text, schema, table) => {
    expect(readTableName(text)).toEqual({ schema, table });
  });

  it.each(['', ' t', 'a.b.c', '"open', '""', 't;drop', '1t', 'a..b', '.t', 'x'.repeat(64), 'é'.repeat(32)])(
    'refuses %j',
    (text) => {
      expect(readTableName(text)).toBeUndefined();
    },
  );

  it('reads back every name that writeTableName wrote', () => {
    const identifier = fc
      .string({ minLength: 1, maxLength: 15, unit: 'binary' })
      .filter((name) => Buffer.byteLength(name) <= 63);
    fc.assert(
      fc.property(fc.record({ schema: identifier, table: identifier }), (name) => {
        expect(readTableName(writeTableName(name))).toEqual(name);
      }),
    );
    expect(writeTableName({ schema: 'public', table: 'customers' })).toBe('customers');
    expect(writeTableName({ schema: 'Sales', table: 'orders' })).toBe('"Sales".orders');
  });
});
