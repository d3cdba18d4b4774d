import type { Rules } from '../sync-harness.js';

/** A text that is part of every value that the rules below generate. */
export const MASKED = 'MSK';

const long = { generator: 'template', pattern: `${MASKED}-{{uuid}}` };
const short = { generator: 'template', pattern: MASKED };

/** Masking rules for columns of many kinds of tables, by quoted table name. */
export const MASKS: Readonly<Record<string, Rules>> = {
  '"Mixed Case"."Customers"': { fullName: long, FULLNAME: short },
  '"quo""te\'s \\ and $1"."ta""ble\'s \\ %s {}"': { 'col"umn\'s \\ %s': long, 'a.b': short, '--': short },
  'composite_keys.lines': { sku: long },
  'missing_keys.log': { entry: long },
  'generated_columns.made': { words: long },
  'dropped_columns.t': { b: short },
  'texts.t': { long, short, padded: short },
  'documents.t': { loose: { json: { a: long } }, strict: { json: { a: long } } },
  'domains.t': { c: short, n: short, p: long },
  'extension_types.t': { nick: long },
  'extension_indexes.bookings': { note: long },
  'twelve_partitions.events': { note: long },
  'list_partitions.t': { region: short },
  'hash_partitions.t': { v: long },
  'attached_partitions.t': { b: long },
  'partition_expressions.t': { name: long },
  'inherited_tables.cities': { name: long },
  'inherited_tables.capitals': { name: long },
  'inherited_tables.old_capitals': { name: long, tag: long },
  'triggers.watched': { v: long },
  'rules.t': { v: long },
  'row_security.t': { tenant: long },
  'row_security.forced': { tenant: long },
  'unlogged_tables.t': { v: long },
  'indexes.t': { name: long },
};
