import { chooseTables } from './choose-tables.js';

const TABLES = ['public.orders', 'public.order_log', 'crm.contacts', 'crm.contact_log', 'a+b.(c)'].map(
  (name, i) => {
    const [schema = '', table = ''] = name.split('.');
    return { oid: String(i), name: { schema, table }, estimatedRows: 0 };
  },
);

it.each([
  [{}, ['orders', 'order_log', 'contacts', 'contact_log', '(c)']],
  [{ schemas: ['crm'] }, ['contacts', 'contact_log']],
  [{ tables: ['order*'] }, ['orders', 'order_log']],
  [{ tables: ['crm.*', 'orders'], exclude: ['*_log'] }, ['orders', 'contacts']],
  [{ tables: ['a+b.(c)'] }, ['(c)']],
  [{ tables: ['order.'] }, []],
  [{ tables: ['Orders'] }, []],
])('chooseTables with %j returns %j', (choice, names) => {
  const chosen = chooseTables(TABLES, { schemas: [], tables: [], exclude: [], ...choice });
  expect(chosen.map(({ name }) => name.table)).toEqual(names);
});
