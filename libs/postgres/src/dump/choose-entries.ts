/** A catalog object of the source. */
export interface CatalogObject {
  readonly classid: string;
  readonly oid: string;
  /** A NOT NULL constraint. It has an entry of its own only when it is NOT VALID, and that is called like a primary key's. */
  readonly is_not_null?: boolean;
}

// PostgreSQL docs, pg_restore, "--list": `<id>; <catalog oid> <object oid> <TYPE> …`; with --verbose the line below names
// the ids that an entry depends on.
const ENTRY = /^(\d+); (\d+) (\d+) (.*)/;
const DEPENDENCIES = /^;\s+depends on: ([\d ]+)$/;

// What post-data makes besides the indexes and keys of one table alone.
const FINISHING =
  /^(?:FK CONSTRAINT|CHECK CONSTRAINT|TRIGGER|EVENT TRIGGER|RULE|POLICY|ROW SECURITY|INDEX ATTACH|STATISTICS) /;

/** Lines of a dump's list, in its order. */
export interface ChosenEntries {
  /** Types, functions, tables, and their indexes and keys. */
  readonly creating: readonly string[];
  /** What looks at rows, or at another table: foreign keys, triggers, policies, checks that the old rows need not pass. */
  readonly finishing: readonly string[];
}

/**
 * The entries of `pg_restore --list --verbose` that belong to the objects. Entries that are no
 * object of their own (attach a partition, own a sequence, comment, grant, switch row security on) have no catalog: they
 * come with what they depend on, all of it. Names are not read: pg_dump prints those with newlines otherwise.
 */
export function chooseEntries(lines: readonly string[], objects: readonly CatalogObject[]): ChosenEntries {
  const wanted = new Set(objects.map(addressOf));
  const entries = readEntries(lines);
  const own = new Set(
    entries.filter(({ address }) => address !== undefined && wanted.has(address)).map(({ id }) => id),
  );
  const taken = new Set(own);
  const chosen = entries.filter(({ id, address, needs }) => {
    const comesAlong = address === undefined && needs.length > 0 && needs.every((need) => taken.has(need));
    // A right on a column depends on those on its table, which stand before it.
    if (comesAlong) taken.add(id);
    return comesAlong || own.has(id);
  });
  const late = new Set(objects.filter((object) => object.is_not_null === true).map(addressOf));
  const finishing = new Set(
    chosen
      .filter(({ type, address }) => FINISHING.test(type) || (address !== undefined && late.has(address)))
      .map(({ id }) => id),
  );
  // A comment goes with what it is on.
  const isFinishing = ({ id, address, needs }: Entry) =>
    finishing.has(id) || (address === undefined && needs.some((need) => finishing.has(need)));
  return {
    creating: chosen.filter((entry) => !isFinishing(entry)).map(({ line }) => line),
    finishing: chosen.filter(isFinishing).map(({ line }) => line),
  };
}

/**
 * All that a dump of chosen tables has of them. Without their extended statistics, which not every version has there, and without the
 * database itself, of which it always tells.
 */
export function tableObjects(lines: readonly string[]): readonly CatalogObject[] {
  return readEntries(lines).flatMap(({ address, type }) => {
    const [classid, oid] = address?.split(' ') ?? [];
    const isPart = classid !== undefined && oid !== undefined && !/^(?:DATABASE|STATISTICS) /.test(type);
    return isPart ? [{ classid, oid }] : [];
  });
}

function addressOf({ classid, oid }: CatalogObject): string {
  return `${classid} ${oid}`;
}

interface Entry {
  readonly id: string;
  readonly line: string;
  /** And more: `TABLE public people …`. */
  readonly type: string;
  /** `<catalog oid> <object oid>`; undefined when it is no object of its own. */
  readonly address: string | undefined;
  readonly needs: readonly string[];
}

function readEntries(lines: readonly string[]): readonly Entry[] {
  return lines.flatMap((line, i) => {
    const [, id, classid, oid, type = ''] = ENTRY.exec(line) ?? [];
    if (id === undefined) return [];
    const needs = DEPENDENCIES.exec(lines[i + 1] ?? '')?.[1]?.split(' ') ?? [];
    return [{ id, line, type, needs, address: classid === '0' ? undefined : `${classid} ${oid}` }];
  });
}
