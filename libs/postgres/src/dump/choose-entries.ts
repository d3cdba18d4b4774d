/** A catalog object of the source. */
export interface CatalogObject {
  readonly classid: string;
  readonly oid: string;
  /**
   * Whether the object is a NOT NULL constraint. A dump has an entry for a NOT NULL constraint only
   * if the constraint is NOT VALID. The type of the entry is the same as for a primary key.
   */
  readonly is_not_null?: boolean;
}

// An entry is `<id>; <catalog oid> <object oid> <TYPE> …` (PostgreSQL docs, pg_restore, "--list"). With --verbose, the
// next line contains the ids that the entry depends on.
const ENTRY = /^(\d+); (\d+) (\d+) (.*)/;
const DEPENDENCIES = /^;\s+depends on: ([\d ]+)$/;

// The types of post-data entries other than indexes and keys.
const FINISHING =
  /^(?:FK CONSTRAINT|CHECK CONSTRAINT|TRIGGER|EVENT TRIGGER|RULE|POLICY|ROW SECURITY|INDEX ATTACH|STATISTICS) /;

// The types of those among them that can call functions.
const CALLING = /^(?:CHECK CONSTRAINT|TRIGGER|RULE|POLICY|STATISTICS) /;

// The entry depends on the parent and on the partition, which are two tables or two indexes. It also depends on objects
// that the target may already have, such as an extension. The entry of an index also depends on the indexes' tables. The
// list omits a parent that is not in the dump.
const ATTACHMENT = /^(TABLE|INDEX) ATTACH /;
const ATTACHED = { TABLE: /^TABLE /, INDEX: /^(?:INDEX|CONSTRAINT) / };
const ATTACHED_OBJECTS = 2;

/** The chosen lines of `pg_restore --list`, in their original order. */
export interface ChosenEntries {
  /** The entries of types, functions, tables, and their indexes and keys. */
  readonly creating: readonly string[];
  /**
   * The entries of objects that read rows or reference another table: foreign keys, triggers, policies, and checks that
   * existing rows may violate.
   */
  readonly finishing: readonly string[];
}

/**
 * Returns the entries of `pg_restore --list --verbose` that belong to the objects. Some entries are not
 * objects, such as comments, grants, row security and the attachment of a partition. The result includes such an
 * entry if it also includes everything that this entry depends on. Compares oids instead of names, because
 * pg_dump changes names with newlines.
 */
export function chooseEntries(lines: readonly string[], objects: readonly CatalogObject[]): ChosenEntries {
  const wanted = new Set(objects.map(addressOf));
  const entries = readEntries(lines);
  const own = new Set(
    entries.filter(({ address }) => address !== undefined && wanted.has(address)).map(({ id }) => id),
  );
  const taken = new Set(own);
  const typeOf = new Map(entries.map(({ id, type }) => [id, type]));
  const chosen = entries.filter(({ id, address, type, needs }) => {
    const attaching = ATTACHMENT.exec(type)?.[1] as keyof typeof ATTACHED | undefined;
    const isAttached = attaching && ATTACHED[attaching];
    const required = new Set(
      isAttached ? needs.filter((need) => isAttached.test(typeOf.get(need) ?? '')) : needs,
    );
    const fewest = isAttached ? ATTACHED_OBJECTS : 1;
    const comesAlong =
      address === undefined && required.size >= fewest && [...required].every((need) => taken.has(need));
    // A privilege on a column depends on the privileges on its table, which come first in the list.
    if (comesAlong) taken.add(id);
    return comesAlong || own.has(id);
  });
  const postData = new Set(objects.filter((object) => object.is_not_null === true).map(addressOf));
  const finishing = new Set(
    chosen
      .filter(({ type, address }) => FINISHING.test(type) || (address !== undefined && postData.has(address)))
      .map(({ id }) => id),
  );
  // A comment belongs to the same list as its object.
  const isFinishing = ({ id, address, needs }: DumpEntry) =>
    finishing.has(id) || (address === undefined && needs.some((need) => finishing.has(need)));
  return {
    creating: chosen.filter((entry) => !isFinishing(entry)).map(({ line }) => line),
    finishing: chosen.filter(isFinishing).map(({ line }) => line),
  };
}

/**
 * Returns all objects in a dump of selected tables. Omits extended statistics, which some versions of pg_dump do not
 * include. Also omits the database, which is in every list.
 */
export function tableObjects(lines: readonly string[]): readonly CatalogObject[] {
  return readEntries(lines).flatMap(({ address, type }) => {
    const [classid, oid] = address?.split(' ') ?? [];
    const isPart = classid !== undefined && oid !== undefined && !/^(?:DATABASE|STATISTICS) /.test(type);
    return isPart ? [{ classid, oid }] : [];
  });
}

/** Returns those of the entries whose objects can call functions. Indexes are not among them. */
export function callingEntries(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => CALLING.test(ENTRY.exec(line)?.[4] ?? ''));
}

function addressOf({ classid, oid }: CatalogObject): string {
  return `${classid} ${oid}`;
}

/** An entry of the table of contents of a dump. */
export interface DumpEntry {
  readonly id: string;
  readonly line: string;
  /** The type and the rest of the line, such as `TABLE public people …`. */
  readonly type: string;
  /** The address `<catalog oid> <object oid>`; undefined if the entry is not an object. */
  readonly address: string | undefined;
  /** The ids of the entries that this entry depends on. */
  readonly needs: readonly string[];
}

/** Reads the lines of `pg_restore --list --verbose`. */
export function readEntries(lines: readonly string[]): readonly DumpEntry[] {
  return lines.flatMap((line, i) => {
    const [, id, classid, oid, type = ''] = ENTRY.exec(line) ?? [];
    if (id === undefined) return [];
    const needs = DEPENDENCIES.exec(lines[i + 1] ?? '')?.[1]?.split(' ') ?? [];
    return [{ id, line, type, needs, address: classid === '0' ? undefined : `${classid} ${oid}` }];
  });
}
