import type { Json } from '../schema-harness.js';

/** The keys of each `type` that become params, as docs/reference.md states them. */
const GATHERED: Readonly<Record<string, readonly string[]>> = {
  list: ['source', 'values', 'key', 'where'],
  model: ['source', 'generation'],
  statistical: [
    'mode',
    'values',
    'distribution',
    'params',
    'differential_privacy',
    'variables',
    'correlations',
  ],
  event_sequence: ['events'],
};

export interface Use extends Json {
  readonly use: string;
  readonly params: Json;
  readonly constraints: Json;
}

/** Converts a definition with `type` to the form with `use`. Accepts a definition with `use` too. */
export function asUse(definition: Json): Use {
  const { type, use, algorithm, params = {}, constraints = {} } = definition;
  const modifiers = pick(definition, ['unique', 'nullable', 'transform']);
  const rest = { constraints: constraints as Json, ...modifiers };
  if (typeof use === 'string') return { use, params: params as Json, ...rest };
  if (type === 'svc') return { use: `@svc/core:logic.${String(algorithm)}`, params: params as Json, ...rest };
  const keys = GATHERED[String(type)];
  if (keys === undefined) throw new Error(`no mapping of type ${String(type)}`);
  return { use: `@svc/core:${String(type)}`, params: pick(definition, keys), ...rest };
}

function pick(object: Json, keys: readonly string[]): Json {
  return Object.fromEntries(Object.entries(object).filter(([key]) => keys.includes(key)));
}
