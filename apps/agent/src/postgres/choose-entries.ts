/** A catalog object of the source, as the dump's list names it. */
export interface CatalogObject {
  readonly classid: string;
  readonly oid: string;
  readonly relation?: { readonly schema: string; readonly name: string; readonly kind: string };
}

const ENTRY = /^\d+; (\d+) (\d+) (.+)$/;

/**
 * The lines of `pg_restore --list` that belong to the objects, in the list's order. A line reads
 * `<id>; <catalog oid> <object oid> <TYPE> <schema> <name> <owner>`; entries that are no object of their own (attach a
 * partition, own a sequence, comment) have zeros there and are known by the relation they name.
 */
export function chooseEntries(
  lines: readonly string[],
  objects: readonly CatalogObject[],
): readonly string[] {
  const wanted = new Set(objects.map(({ classid, oid }) => `${classid} ${oid}`));
  const attached = objects.flatMap(({ relation }) => {
    if (relation === undefined) return [];
    const { schema, name } = relation;
    return [
      `TABLE ATTACH ${schema} ${name} `,
      `INDEX ATTACH ${schema} ${name} `,
      `SEQUENCE OWNED BY ${schema} ${name} `,
      `COMMENT ${schema} TABLE ${name} `,
      `COMMENT ${schema} COLUMN ${name}.`,
    ];
  });
  return lines.filter((line) => {
    const match = ENTRY.exec(line);
    if (match === null) return false;
    const [, classid, oid, rest = ''] = match;
    if (oid !== '0') return wanted.has(`${classid} ${oid}`);
    return attached.some((start) => rest.startsWith(start));
  });
}
