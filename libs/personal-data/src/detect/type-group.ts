export type TypeGroup =
  'text' | 'number' | 'date' | 'inet' | 'mac' | 'binary' | 'location' | 'json' | 'other';

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

function group(name: TypeGroup, types: string): Record<string, TypeGroup> {
  return Object.fromEntries(types.split(' ').map((type) => [type, name]));
}
