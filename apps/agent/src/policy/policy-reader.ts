import { parseDocument } from 'yaml';

/** Parts of a policy file with the problems that were found in them. Problems quote keys and names, never URLs. */
export type Entry = Readonly<Record<string, unknown>>;

/** @returns what the YAML holds; undefined, with a problem, when it is none */
export function readYaml(text: string, problems: string[]): unknown {
  const document = parseDocument(text, { uniqueKeys: true, prettyErrors: false });
  if (document.errors.length > 0) {
    const [error] = document.errors;
    problems.push(`not YAML (${error?.code ?? 'unreadable'} at character ${error?.pos[0] ?? 0})`);
    return undefined;
  }
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown;
  } catch {
    problems.push(`more than ${MAX_ALIASES} YAML aliases, or one to itself`);
    return undefined;
  }
}

/** A map with known keys only: an unknown one may be a misspelt restriction. */
export function readMap(value: unknown, path: string, known: readonly string[], problems: string[]): Entry {
  const entry = readAnyMap(value, path === '' ? 'the policy' : path, problems);
  for (const key of Object.keys(entry)) {
    const prefix = path === '' ? '' : `${path}.`;
    if (!known.includes(key)) problems.push(`${prefix}${key}: unknown key; known are ${known.join(', ')}`);
  }
  return entry;
}

export function readAnyMap(value: unknown, path: string, problems: string[]): Entry {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  problems.push(`${path}: expected a map`);
  return {};
}

export function readList(value: unknown, path: string, problems: string[]): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value as readonly unknown[];
  problems.push(`${path}: expected a list`);
  return [];
}

/** @param path the key at the root of the policy */
export function readBoolean(root: Entry, path: string, fallback: boolean, problems: string[]): boolean {
  const value = root[path];
  if (typeof value === 'boolean') return value;
  if (value !== undefined) problems.push(`${path}: expected true or false`);
  return fallback;
}

/** @returns the fallback also for a value that is a problem */
export function readWholeNumber<T>(
  value: unknown,
  path: string,
  { least, most, fallback }: { least: number; most: number; fallback: T },
  problems: string[],
): number | T {
  if (value === undefined) return fallback;
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
  problems.push(`${path}: expected a whole number from ${least} to ${most}`);
  return fallback;
}

/** A key that takes a few words. @returns undefined when it is absent, or a problem */
export function readChoice<T extends string>(
  root: Entry,
  path: string,
  choices: readonly T[],
  problems: string[],
): T | undefined {
  const value = root[path];
  const choice = choices.find((known) => known === value);
  if (choice === undefined && value !== undefined)
    problems.push(`${path}: expected ${choices.length === 1 ? '' : 'one of '}${choices.join(', ')}`);
  return choice;
}

// Aliases of aliases could grow a small file into a huge one.
const MAX_ALIASES = 100;
