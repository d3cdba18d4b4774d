import { readTableName } from './table-name.js';

describe('table name', () => {
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

  it.each(['', ' t', 'a.b.c', '"open', '""', 't;drop', '1t', 'a..b', '.t', 'x'.repeat(64)])(
    'refuses %j',
    (text) => {
      expect(readTableName(text)).toBeUndefined();
    },
  );
});
