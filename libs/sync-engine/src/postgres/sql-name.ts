/**
 * An identifier that a catalog of PostgreSQL holds (type `name`), which alone of all texts may leave the agent, in a
 * message of its own (docs/adr/0016). Made where catalogs are read, from nothing else.
 */
export type SqlName = string & { readonly [isSqlName]: true };
declare const isSqlName: unique symbol;

const MAX_BYTES = 63;

/** @param identifier a column of type `name` of a catalog query; whatever is longer than a name can be is none */
export function sqlName(identifier: string): SqlName | undefined {
  return Buffer.byteLength(identifier) <= MAX_BYTES ? (identifier as SqlName) : undefined;
}
