/** A catalog object of the source. */
export interface CatalogObject {
  readonly classid: string;
  readonly oid: string;
}

// PostgreSQL docs, pg_restore, "--list": `<id>; <catalog oid> <object oid> <TYPE> …`; with --verbose the line below names
// the ids that an entry depends on.
const ENTRY = /^(\d+); (\d+) (\d+) /;
const DEPENDENCIES = /^;\s+depends on: ([\d ]+)$/;

/**
 * The entries of `pg_restore --list --verbose` that belong to the objects, in the list's order. Entries that are no
 * object of their own (attach a partition, own a sequence, comment, switch row security on) have no catalog: they
 * come with the objects that they depend on, all of them. Names are not read: pg_dump prints those with newlines otherwise.
 */
export function chooseEntries(
  lines: readonly string[],
  objects: readonly CatalogObject[],
): readonly string[] {
  const wanted = new Set(objects.map(({ classid, oid }) => `${classid} ${oid}`));
  const entries = readEntries(lines);
  const chosen = new Set(
    entries.filter(({ address }) => address !== undefined && wanted.has(address)).map(({ id }) => id),
  );
  return entries
    .filter(
      ({ id, address, needs }) =>
        chosen.has(id) ||
        (address === undefined && needs.length > 0 && needs.every((need) => chosen.has(need))),
    )
    .map(({ line }) => line);
}

interface Entry {
  readonly id: string;
  readonly line: string;
  /** `<catalog oid> <object oid>`; undefined when it is no object of its own. */
  readonly address: string | undefined;
  readonly needs: readonly string[];
}

function readEntries(lines: readonly string[]): readonly Entry[] {
  return lines.flatMap((line, i) => {
    const [, id, classid, oid] = ENTRY.exec(line) ?? [];
    if (id === undefined) return [];
    const needs = DEPENDENCIES.exec(lines[i + 1] ?? '')?.[1]?.split(' ') ?? [];
    return [{ id, line, needs, address: classid === '0' ? undefined : `${classid} ${oid}` }];
  });
}
