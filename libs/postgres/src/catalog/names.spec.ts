import { parseTableName } from './names.js';

describe('parseTableName', () => {
  it.each([
    ['t', 'public', 't'],
    ['Customers', 'public', 'customers'],
    ['sales.Orders', 'sales', 'orders'],
    ['"Odd Schema"."T"', 'Odd Schema', 'T'],
    ['"a""b"', 'public', 'a"b'],
    ['"a.b".c', 'a.b', 'c'],
    ['straße', 'public', 'straße'],
  ])('parses %s like SQL', (name, schema, table) => {
    expect(parseTableName(name)).toEqual({ schema, table });
  });

  it.each(['', '.', 'a.', '.a', 'a.b.c', '"a', 'a b', '1a', '""', 'a;drop', "a'"])('rejects %j', (name) => {
    expect(parseTableName(name)).toBeUndefined();
  });
});
