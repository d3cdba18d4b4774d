export type TypeGroup =
  | 'text'
  | 'number'
  | 'date'
  | 'inet'
  | 'mac'
  | 'binary'
  | 'location'
  | 'json'
  | 'other';

const GROUPS: Readonly<Record<string, TypeGroup>> = {
  ...group('text', 'text varchar bpchar char citext name xml'),
  ...group('number', 'int2 int4 int8 numeric float4 float8'),
  ...group('date', 'date timestamp timestamptz'),
  ...group('inet', 'inet'),
  ...group('mac', 'macaddr macaddr8'),
  ...group('binary', 'bytea'),
  ...group('location', 'point geometry geography'),
  ...group('json', 'json jsonb'),
};

/** Returns the group of a type. @param type the name of the base type in the catalog */
export function typeGroup(type: string): TypeGroup {
  return GROUPS[type] ?? 'other';
}

/**
 * Types of the group `other` whose values hold no text: numbers, times, bits, network ranges, shapes, and ranges of
 * these. A type of an extension or of a user is not among them.
 */
const TEXTLESS: ReadonlySet<string> = new Set([
  ...['bool', 'uuid', 'money', 'time', 'timetz', 'interval', 'bit', 'varbit', 'cidr'],
  ...['oid', 'xid', 'xid8', 'cid', 'tid', 'pg_lsn', 'pg_snapshot', 'txid_snapshot'],
  ...['box', 'circle', 'line', 'lseg', 'path', 'polygon'],
  ...['int4range', 'int8range', 'numrange', 'daterange', 'tsrange', 'tstzrange'],
  ...[
    'int4multirange',
    'int8multirange',
    'nummultirange',
    'datemultirange',
    'tsmultirange',
    'tstzmultirange',
  ],
]);

/** Returns whether values of a type can contain text that {@link typeGroup} gives no way to read, as those of bytea. */
export function isOpaque(type: string): boolean {
  const of = typeGroup(type);
  return of === 'binary' || (of === 'other' && !TEXTLESS.has(type));
}

function group(name: TypeGroup, types: string): Record<string, TypeGroup> {
  return Object.fromEntries(types.split(' ').map((type) => [type, name]));
}
