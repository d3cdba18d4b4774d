import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { PlayerRequest } from './player.js';
import type { ScriptedResponse } from './scripted-response.js';

/** A test that runs with every client: one or more calls, and what each of them must send and return. */
export interface Scenario {
  readonly title: string;
  readonly steps: readonly Step[];
  /** The reason for each client that cannot run the scenario, by the name of the variant. */
  readonly except?: Readonly<Record<string, string>>;
}

export interface Step {
  readonly call: PlayerRequest;
  /** The server that plays the script. Default: `server`. */
  readonly at?: string;
  /** The responses, one for each attempt. */
  readonly script?: readonly ScriptedResponse[];
  /** Whether the last response is repeated for all further requests. Then attempts are not counted. */
  readonly endless?: boolean;
  readonly expect: Expectation;
}

/** All fields are patterns; see `mismatches`. */
export interface Expectation {
  readonly result?: unknown;
  readonly error?: unknown;
  /** The smallest and the largest delay before each retry, in seconds. */
  readonly delays?: readonly (readonly [number, number])[];
  readonly requests?: unknown;
  /** `new`: one UUIDv4 in all requests and in the error. `none`: no request has a key. Else the key itself. */
  readonly key?: string;
  readonly attempts?: unknown;
  readonly stream?: unknown;
  readonly records?: unknown;
  readonly progress?: unknown;
  readonly received?: unknown;
  /** How the last response ended. */
  readonly end?: string;
  /** Files that must exist, or must not exist if the value is null: their content as text, by path. */
  readonly files?: Readonly<Record<string, string | null>>;
}

/** A scenario as it is written: `for` lists values for placeholders, and one step needs no `steps`. */
type Written = Omit<Scenario, 'steps'> &
  Partial<Step> & {
    readonly steps?: readonly Step[];
    readonly for?: readonly Readonly<Record<string, unknown>>[][];
  };

/**
 * Reads the scenarios of a folder, in the order of the files.
 * @returns the scenarios of each file, by its name without extension
 * @throws Error if two scenarios have the same title
 */
export function readScenarios(folder: string): ReadonlyMap<string, readonly Scenario[]> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const found = files.sort().map((name): [string, Scenario[]] => {
    const written = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Written[];
    return [name.replace('.json', ''), written.flatMap(expand)];
  });
  const titles = found.flatMap(([name, scenarios]) => scenarios.map(({ title }) => `${name}: ${title}`));
  const twice = titles.filter((title, index) => titles.indexOf(title) !== index);
  if (twice.length > 0) throw new Error(`expected different titles, got twice: ${twice.join(', ')}`);
  return new Map(found);
}

/** Makes one scenario for each combination of the values in `for`. */
function expand({ for: lists = [], ...written }: Written): Scenario[] {
  const combinations = lists.reduce<Readonly<Record<string, unknown>>[]>(
    (all, list) => all.flatMap((one) => list.map((other) => ({ ...one, ...other }))),
    [{}],
  );
  return combinations.map((values) => {
    const { title, except, steps, ...step } = filled(written, values) as Written;
    return { title, ...(except && { except }), steps: steps ?? [step as Step] };
  });
}

/**
 * Replaces `<name>` in all texts and keys of a JSON value. A text that consists only of a placeholder becomes the
 * value itself. A name without a value stays as it is.
 */
export function filled(value: unknown, values: Readonly<Record<string, unknown>>): unknown {
  if (typeof value === 'string') {
    const name = /^<([\w-]+)>$/.exec(value)?.[1];
    if (name !== undefined && name in values) return values[name];
    return value.replace(/<([\w-]+)>/g, (text, inside: string) =>
      inside in values ? String(values[inside]) : text,
    );
  }
  if (Array.isArray(value)) return value.map((each) => filled(each, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [String(filled(key, values)), filled(each, values)]),
  );
}
