import type { ConnectionTarget } from '@understudy/postgres';

import type { PolicyRules } from './policy-document.js';

/**
 * The policy as canonical texts: one for each named database and one for all URLs. Two agents with equal
 * texts treat the database or the URLs in the same way.
 */
export interface PolicySections {
  /** Canonical texts by database name. */
  readonly databases: ReadonlyMap<string, string>;
  /** The text for databases that jobs specify by URL. Undefined if the policy admits no URLs. */
  readonly urls: string | undefined;
}

/**
 * Divides a policy into sections. Each section contains every rule that applies to all databases, so a new
 * key of the policy needs no change here. Each section contains the rules for all tables, because a rule for
 * one table can also apply to its partitions, and only the source's catalogs list the partitions. A
 * connection is represented by its host, port, database and user. The password and the TLS settings are
 * omitted, because they may differ between agents.
 */
export function policySections({ databases, urls, ...common }: PolicyRules): PolicySections {
  const named = [...databases].map(([name, { target, buildLogin, ...entry }]): [string, string] => [
    name,
    textOf({ ...common, database: { ...entry, server: serverOf(target), buildUser: buildLogin?.user } }),
  ]);
  return {
    databases: new Map(named),
    urls: urls.length === 0 ? undefined : textOf({ ...common, urls }),
  };
}

function serverOf({ host, port, database, user }: ConnectionTarget) {
  return { host: host.toLowerCase(), port, database, user };
}

/**
 * Returns a canonical text of the value. The order of keys and rules does not change the text; the order of
 * the parts of a pattern does.
 * @throws TypeError if the value has no canonical text, so that the comparison ignores no value
 */
function textOf(value: unknown): string {
  if (value instanceof RegExp) return `/${value.source}/${value.flags}`;
  if (value instanceof Set) return JSON.stringify([...value].map(textOf).sort());
  if (value instanceof Map)
    return JSON.stringify([...value].map(([key, item]) => [textOf(key), textOf(item)]).sort(byFirst));
  if (Array.isArray(value)) {
    const texts = value.map(textOf);
    return JSON.stringify(value.some((part) => part instanceof RegExp) ? texts : texts.sort());
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined);
    return JSON.stringify(entries.map(([key, item]) => [key, textOf(item)]).sort(byFirst));
  }
  if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint')
    throw new TypeError(`a policy contains a ${typeof value}, which has no canonical text`);
  return JSON.stringify(value) ?? 'undefined';
}

function byFirst([one]: readonly unknown[], [other]: readonly unknown[]): number {
  return String(one) < String(other) ? -1 : 1;
}
