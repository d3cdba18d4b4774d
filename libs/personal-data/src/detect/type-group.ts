export type TypeGroup = 'text' | 'number' | 'date' | 'inet' | 'mac' | 'binary' | 'place' | 'json' | 'other';

const GROUPS: Readonly<Record<string, TypeGroup>> = {
  ...group('text', 'text varchar bpchar char citext name xml'),
  ...group('number', 'int2 int4 int8 numeric float4 float8'),
  ...group('date', 'date timestamp timestamptz'),
  ...group('inet', 'inet'),
  ...group('mac', 'macaddr macaddr8'),
  ...group('binary', 'bytea'),
  ...group('place', 'point geometry geography'),
  ...group('json', 'json jsonb'),
};

/** @param type the base type's name as the catalog has it */
export function typeGroup(type: string): TypeGroup {
  return GROUPS[type] ?? 'other';
}

function group(name: TypeGroup, types: string): Record<string, TypeGroup> {
  return Object.fromEntries(types.split(' ').map((type) => [type, name]));
}
