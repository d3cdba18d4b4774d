import { foldOfLocale } from '@understudy/masking';
import {
  findTypeDefinitions,
  readTypeDefinitions,
  type TableDescription,
  type TypeDefinition,
  type TypeUse,
} from '@understudy/postgres';
import type { DatabaseSide } from '@understudy/sync-job';
import type { LocatedClient } from '../../session/located-client.js';

/** The definitions of the types that the source's tables use. Each server describes its own types. */
export interface TypeDefinitions {
  readonly sourceByOid: ReadonlyMap<number, TypeDefinition>;
  /** The source's types by {@link TypeDefinition.base}. */
  readonly source: ReadonlyMap<string, TypeDefinition>;
  /** The target's types of the same names. A type that the target lacks is missing. */
  readonly target: ReadonlyMap<string, TypeDefinition>;
}

export async function readTypes(
  tables: readonly TableDescription[],
  clients: Readonly<Record<DatabaseSide, LocatedClient>>,
): Promise<TypeDefinitions> {
  const oids = tables.flatMap(({ columns }) => columns.map(({ type }) => type));
  const sourceByOid = await readTypeDefinitions(clients.source, oids);
  const source = new Map([...sourceByOid.values()].map((definition) => [definition.base, definition]));
  const target = await findTypeDefinitions(clients.target, [...source.keys()]);
  return { sourceByOid, source, target };
}

/**
 * Finds the first type, among the given one and those that it consists of, whose definition on the target cannot hold
 * every value of the source's definition. Domains may have other constraints, because these refuse values and change none.
 * Pure.
 * @param base {@link TypeDefinition.base}. For a type of PostgreSQL, or one that the target lacks, returns undefined.
 */
export function changedType(
  base: string | undefined,
  types: Pick<TypeDefinitions, 'source' | 'target'>,
): TypeDefinition | undefined {
  const [from, to] = [types.source.get(base ?? ''), types.target.get(base ?? '')];
  if (from === undefined || to === undefined) return undefined;
  const isSame =
    from.kind === to.kind &&
    from.code === to.code &&
    hasLabels(from.labels, to.labels) &&
    from.parts.length === to.parts.length &&
    from.parts.every((part, i) => {
      const other = to.parts[i];
      return other?.role === part.role && isAsWide(part, other) && hasSameCollation(part, other);
    });
  if (!isSame) return from;
  for (const part of from.parts) {
    const changed = changedType(part.base, types);
    if (changed !== undefined) return changed;
  }
  return undefined;
}

const INTEGERS = ['smallint', 'integer', 'bigint'];
const TEXTS = ['text', 'character varying', 'character'];

/**
 * Returns whether the target's type can hold every value of the source's type unchanged. Assumes that types with equal
 * names have equal definitions. Pure.
 */
export function isAsWide(source: TypeUse, target: TypeUse): boolean {
  if (source.type === target.type) return true;
  if (source.base === target.base) {
    if (!target.hasModifier) return true;
    return source.base === 'character varying' && (source.length ?? Infinity) <= (target.length ?? 0);
  }
  if (INTEGERS.includes(source.base)) {
    const isNumeric = target.base === 'numeric' && !target.hasModifier;
    return isNumeric || INTEGERS.indexOf(target.base) > INTEGERS.indexOf(source.base);
  }
  return (
    TEXTS.includes(source.base) && ['text', 'character varying'].includes(target.base) && !target.hasModifier
  );
}

/**
 * Returns whether the collations have the same name and treat the same texts as equal, or one of the types has none.
 * Pure.
 */
export function hasSameCollation(source: TypeUse, target: TypeUse): boolean {
  const [from, to] = [source.collation, target.collation];
  if (from === undefined || to === undefined) return true;
  return from === to && equalityOf(source) === equalityOf(target);
}

function equalityOf({ looseLocale }: TypeUse): string | undefined {
  return looseLocale === undefined ? undefined : foldOfLocale(looseLocale);
}

/**
 * Returns whether an enum of the target has all labels of the source's enum in the same order. Another order would
 * change the comparison of values, and with it the values that a range contains. Pure.
 */
export function hasLabels(source: readonly string[], target: readonly string[]): boolean {
  let found = 0;
  for (const label of target) if (label === source[found]) found++;
  return found === source.length;
}
