import { quoteIdentifier, readRows, withoutNulls, type Client } from '@understudy/postgres';
import { inRelations } from './row-filter.js';
import { FOREIGN_KEYS_AMONG } from './foreign-keys-among.sql.js';

/** A foreign key between two tables of a job. */
export interface TableLink {
  /** The index of the referencing table. */
  readonly child: number;
  readonly parent: number;
  readonly columns: readonly LinkedColumns[];
  /** Whether the key is MATCH FULL, so that a row with some NULLs in its columns breaks it. */
  readonly isFull: boolean;
  /**
   * The oids of the relations with the rows of the child that the key concerns. Undefined if it concerns all rows,
   * and not only those of some partitions.
   */
  readonly childLeaves: readonly string[] | undefined;
  /** The same for the parent. */
  readonly parentLeaves: readonly string[] | undefined;
}

export interface LinkedColumns {
  readonly child: string;
  readonly parent: string;
  /** The constraint's own operator in SQL. The parent's column must be its left operand. */
  readonly operator: string;
  /** The collation of the parent's column in SQL; undefined if the child's column has the same one. */
  readonly collation: string | undefined;
}

/**
 * Reads the foreign keys between tables of a job. Equal keys of several partitions are one link.
 * @param oids the table index of each oid
 */
export async function readTableLinks(
  client: Client,
  oids: ReadonlyMap<string, number>,
): Promise<readonly TableLink[]> {
  return mergedLinks((await readLinkedKeys(client, oids)).map(({ link }) => link));
}

/** A foreign key between two tables of a job, with facts about it. */
export interface LinkedKey {
  readonly link: TableLink;
  /** The oids of the catalog and of the constraint. */
  readonly address: string;
  readonly name: string;
  /** The quoted names of the two tables of the constraint, which may be partitions. */
  readonly relations: string;
  /** Whether all rows that the key can reference belong to the parent of the link. */
  readonly isOnlyParent: boolean;
  /** Whether the server enforces the key, and has checked all rows. */
  readonly isValidated: boolean;
  /** Whether no trigger of the key is disabled. */
  readonly isGuarded: boolean;
}

/** Reads the same keys as {@link readTableLinks}, each with its own link. */
export async function readLinkedKeys(
  client: Client,
  oids: ReadonlyMap<string, number>,
): Promise<readonly LinkedKey[]> {
  const rows = await readRows<LinkRow>(client, FOREIGN_KEYS_AMONG, [[...oids.keys()]]);
  const keys = new Map<string, LinkedKey & { readonly link: { readonly columns: LinkedColumns[] } }>();
  const parents = new Map<string, Set<string>>();
  for (const { key, child, parent, isFull, childLeaves, parentLeaves, ...row } of rows) {
    const ofChild = key.slice(0, key.lastIndexOf(' '));
    parents.set(ofChild, (parents.get(ofChild) ?? new Set()).add(parent));
    const ends = { child: oids.get(child) ?? 0, parent: oids.get(parent) ?? 0 };
    const { isParentListed, columns, ...facts } = row;
    const link = { ...ends, columns: [], isFull, childLeaves, parentLeaves };
    const known = keys.get(key) ?? { ...facts, link, isOnlyParent: isParentListed };
    keys.set(key, known);
    known.link.columns.push(withoutNulls(columns));
  }
  return [...keys].map(([key, { isOnlyParent, ...linked }]) => ({
    ...linked,
    isOnlyParent: isOnlyParent && parents.get(key.slice(0, key.lastIndexOf(' ')))?.size === 1,
  }));
}

/** One pair of columns of a key. `child` and `parent` are oids. */
interface LinkRow
  extends
    Pick<TableLink, 'isFull' | 'childLeaves' | 'parentLeaves'>,
    Pick<LinkedKey, 'address' | 'name' | 'relations' | 'isValidated' | 'isGuarded'> {
  /** The oids of the key, the child and the parent. */
  readonly key: string;
  readonly child: string;
  readonly parent: string;
  readonly isParentListed: boolean;
  readonly columns: LinkedColumns;
}

/** Merges the links that differ only in the partitions of the child. Each link costs queries. */
function mergedLinks(links: readonly TableLink[]): readonly TableLink[] {
  const merged = new Map<string, TableLink>();
  for (const { childLeaves, ...link } of links) {
    const id = JSON.stringify([link, childLeaves === undefined]);
    const known = merged.get(id)?.childLeaves ?? [];
    merged.set(id, { ...link, childLeaves: childLeaves && [...known, ...childLeaves] });
  }
  return [...merged.values()];
}

/**
 * Writes the SQL condition under which a child row references a parent row. It is never true if a column is
 * NULL.
 * @param child,parent the aliases of the rows, which have the column `tableoid`
 */
export function joinCondition(
  { columns, childLeaves, parentLeaves }: TableLink,
  child: string,
  parent: string,
): string {
  const equal = columns.map((pair) => {
    const collate = pair.collation === undefined ? '' : ` COLLATE ${pair.collation}`;
    return `${parent}.${quoteIdentifier(pair.parent)} ${pair.operator} ${child}.${quoteIdentifier(pair.child)}${collate}`;
  });
  return [...equal, ...within(child, childLeaves), ...within(parent, parentLeaves)].join(' AND ');
}

/** Writes the SQL condition under which a child row must reference a parent row. */
export function mustReference({ columns, isFull, childLeaves }: TableLink, child: string): string {
  const given = columns.map((pair) => `${child}.${quoteIdentifier(pair.child)} IS NOT NULL`);
  return [`(${given.join(isFull ? ' OR ' : ' AND ')})`, ...within(child, childLeaves)].join(' AND ');
}

function within(alias: string, leaves: readonly string[] | undefined): readonly string[] {
  return leaves === undefined ? [] : [inRelations(leaves, alias)];
}
