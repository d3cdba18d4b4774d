import type { BuiltinLibrary } from '@understudy/builtin-models';
import {
  compileSchema,
  defineComposition,
  withCompositions,
  type GeneratorSources,
  type Problem,
} from '@understudy/generator';
import { isObject } from '@understudy/sync-job';

import { noting, parseJson, problemsOf, tableOf } from '../worker/schema-steps.js';
import { exampleParams } from './example-params.js';

/** Asks for the problems of a composition that a user writes, and for sample values. */
export interface CompositionRequest {
  readonly kind: 'composition';
  /** The composition as JSON text. */
  readonly text: string;
  readonly seed: number;
  /** The time to which relative dates refer. */
  readonly nowMs: number;
}

export interface CheckedComposition {
  readonly kind: 'composition';
  /** Paths are relative to the composition, and empty for the composition itself. */
  readonly problems: readonly Problem[];
  /** Names that no built-in model or generator has. The organisation may have them. */
  readonly unknownNames: readonly string[];
  /** JSON of each sample value. Empty if there are problems. */
  readonly samples: readonly string[];
  /** The params of the samples. Params with a default have no entry. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Why there are no samples although the composition is valid, for example because a param has no suitable value. */
  readonly sampleProblem: string | undefined;
}

/** The number of sample values. */
const SAMPLES = 8;
const NOTHING = { kind: 'composition', problems: [], unknownNames: [], samples: [], params: {} } as const;

/**
 * Checks a composition with the same steps as `POST /generators`. The compositions and models of an organisation are not
 * available here, so the response names those that are used.
 * @throws AssetError if a file of a built-in model cannot be fetched
 */
export function checkComposition(
  { text, seed, nowMs }: CompositionRequest,
  library: BuiltinLibrary,
): CheckedComposition {
  const unknown = new Set<string>();
  const parsed = parseJson(text);
  if ('problem' in parsed) return { ...NOTHING, problems: [parsed.problem], sampleProblem: undefined };
  const sources = { ...noting(unknown, library), nowMs };
  try {
    const { name } = defineComposition(parsed.value, sources);
    return { ...NOTHING, ...samplesOf(name, parsed.value, sources, seed) };
  } catch (error) {
    const problems = problemsOf(error);
    return { ...NOTHING, problems, unknownNames: [...unknown], sampleProblem: undefined };
  }
}

function samplesOf(
  name: string,
  composition: unknown,
  sources: Required<GeneratorSources> & { readonly nowMs: number },
  seed: number,
): Pick<CheckedComposition, 'samples' | 'params' | 'sampleProblem'> {
  const params = exampleParams(isObject(composition) ? composition['params'] : undefined);
  const registry = withCompositions(sources.registry, {
    names: () => [name],
    read: (asked) => (asked === name ? composition : undefined),
  });
  const schema = { generators: { value: { use: name, params } }, output: ['value'] };
  try {
    const { rows } = tableOf(compileSchema(schema, { ...sources, registry }), seed, SAMPLES);
    return { samples: rows.map(([value = '']) => value), params, sampleProblem: undefined };
  } catch (error) {
    const [problem] = problemsOf(error);
    return { samples: [], params, sampleProblem: problem?.message };
  }
}
