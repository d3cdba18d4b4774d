import { builtinLibrary } from '@understudy/builtin-models/node';
import {
  compileSchema,
  CORE_REGISTRY,
  defineComposition,
  type CompileOptions,
  type Registry,
} from '@understudy/generator';

export type Json = Readonly<Record<string, unknown>>;

/** The seed of every sample on the page. */
export const SAMPLE_SEED = 1;
/** The value of `now` in every sample on the page. */
export const SAMPLE_NOW = '2026-01-01T00:00:00Z';

/** The list assets that only the samples of the page use, in addition to the built-in lists. */
export const SAMPLE_ASSETS: Readonly<Record<string, unknown>> = {
  towns: {
    nl: ['Delft', 'Gouda', { value: 'Utrecht', weight: 3 }],
    fr: ['Lyon', 'Nice'],
  },
};

const library = builtinLibrary();

const OPTIONS: CompileOptions = {
  models: library.models,
  assets: (name) => (Object.hasOwn(SAMPLE_ASSETS, name) ? SAMPLE_ASSETS[name] : library.assets(name)),
  nowMs: Date.parse(SAMPLE_NOW),
};

/**
 * Generates records of a schema as NDJSON. It registers `compositions` first. Each composition may use those
 * that precede it in the list.
 */
export function sampleRecords(schema: Json, count: number, compositions: readonly Json[] = []): string {
  const registry = compositions.reduce<Registry>(
    (known, composition) => known.with(defineComposition(composition, { ...OPTIONS, registry: known })),
    CORE_REGISTRY,
  );
  const plan = compileSchema(schema, { ...OPTIONS, registry });
  return Array.from(plan.records(SAMPLE_SEED, 0, count), asJson).join('\n');
}

/** Generates values of one definition, one per line. */
export function sampleValues(definition: Json, count: number): string {
  const plan = compileSchema({ generators: { sample: definition }, output: ['sample'] }, OPTIONS);
  return Array.from(plan.records(SAMPLE_SEED, 0, count), (record) => asJson(record['sample'])).join('\n');
}

/** Formats a value as JSON. A bigint (an integer above 2^53) becomes its digits, as in responses of the service. */
function asJson(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(asJson).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${asJson(item)}`);
    return `{ ${members.join(', ')} }`;
  }
  return JSON.stringify(value);
}
