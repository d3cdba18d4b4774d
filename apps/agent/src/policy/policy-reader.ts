import { parseDocument } from 'yaml';

// Each reader adds a line to `problems` for an invalid value. The lines contain keys and names, never URLs.

/** A map in a policy file. */
export type Entry = Readonly<Record<string, unknown>>;

/**
 * Parses YAML.
 * @returns the parsed value, or undefined if the text is not valid YAML
 */
export function readYaml(text: string, problems: string[]): unknown {
  const document = parseDocument(text, { uniqueKeys: true, prettyErrors: false });
  if (document.errors.length > 0) {
    const [error] = document.errors;
    problems.push(`expected YAML (${error?.code ?? 'unreadable'} at character ${error?.pos[0] ?? 0})`);
    return undefined;
  }
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown;
  } catch {
    problems.push(`expected at most ${MAX_ALIASES} YAML aliases, none of which refers to itself`);
    return undefined;
  }
}

/** Reads a map. An unknown key is a problem, because it may be a misspelt restriction. */
export function readMap(value: unknown, path: string, known: readonly string[], problems: string[]): Entry {
  const entry = readAnyMap(value, path === '' ? 'the policy' : path, problems);
  for (const key of Object.keys(entry)) {
    const prefix = path === '' ? '' : `${path}.`;
    if (!known.includes(key))
      problems.push(`${prefix}${key}: unknown key; expected one of ${known.join(', ')}`);
  }
  return entry;
}

/**
 * Reads a map with any keys.
 * @returns an empty map if the value is not a map
 */
export function readAnyMap(value: unknown, path: string, problems: string[]): Entry {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  problems.push(`${path}: expected a map`);
  return {};
}

/**
 * Reads a list.
 * @returns an empty list if the value is missing or not a list
 */
export function readList(value: unknown, path: string, problems: string[]): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value as readonly unknown[];
  problems.push(`${path}: expected a list`);
  return [];
}

/**
 * Reads a boolean.
 * @param path the name of a top-level key of the policy
 */
export function readBoolean(root: Entry, path: string, fallback: boolean, problems: string[]): boolean {
  const value = root[path];
  if (typeof value === 'boolean') return value;
  if (value !== undefined) problems.push(`${path}: expected true or false`);
  return fallback;
}

/**
 * Reads a whole number between inclusive bounds.
 * @returns the fallback if the value is missing or invalid
 */
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

/**
 * Reads a key with a fixed set of values.
 * @returns undefined if the value is missing or invalid
 */
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

// Nested aliases could expand a small file into a huge document.
const MAX_ALIASES = 100;
