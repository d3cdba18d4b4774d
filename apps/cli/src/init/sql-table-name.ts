/** A table's name as a job says it: quoted where SQL would fold it, without `public`. */
export function sqlTableName({ schema, table }: { readonly schema: string; readonly table: string }): string {
  return schema === 'public' ? identifier(table) : `${identifier(schema)}.${identifier(table)}`;
}

function identifier(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}
