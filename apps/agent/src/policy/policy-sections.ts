import type { ConnectionTarget } from '@understudy/postgres';

import type { PolicyRules } from './policy-document.js';

/**
 * What a policy says: one canonical text for each thing that a job may name. Two agents with equal texts have the same policy as far as it
 * concerns that thing.
 */
export interface PolicySections {
  /** By name. */
  readonly databases: ReadonlyMap<string, string>;
  /** About databases that are named by URL; undefined when the policy admits none. */
  readonly urls: string | undefined;
}

/**
 * Each section holds every rule for all databases, so a new key of the policy is covered without a change here. Rules for tables are in each
 * section: a rule for a table covers its partitions, so only the catalogs of the source show which rules concern a job. Of a server the
 * section holds host, port, database and role. The password and the TLS settings may differ between agents.
 */
export function policySections({ databases, urls, ...common }: PolicyRules): PolicySections {
  const named = [...databases].map(([name, { target, ...entry }]): [string, string] => [
    name,
    textOf({ ...common, database: { ...entry, server: serverOf(target) } }),
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
 * A canonical text. The order of keys and of rules means nothing; that of a pattern's parts does.
 * @throws TypeError for a value without such a text: its rules would be left out
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
    throw new TypeError(`a policy holds a ${typeof value}, which has no canonical text`);
  return JSON.stringify(value) ?? 'undefined';
}

function byFirst([one]: readonly unknown[], [other]: readonly unknown[]): number {
  return String(one) < String(other) ? -1 : 1;
}
