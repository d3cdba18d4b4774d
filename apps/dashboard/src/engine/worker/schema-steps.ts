import type { BuiltinLibrary } from '@understudy/builtin-models';
import { ByteSink } from '@understudy/bytes';
import { parseExactJson, ROUNDED, roundedNumbers } from '@understudy/expression';
import {
  DefinitionError,
  GenerationError,
  withCompositions,
  type GeneratorSources,
  type Problem,
  type SchemaPlan,
} from '@understudy/generator';
import { writeJsonValue } from '@understudy/records';
import { fieldPath } from '@understudy/sync-job';

/** The values of records as JSON texts. */
export interface ValueTable {
  readonly kind: 'table';
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export function parseJson(text: string): { readonly value: unknown } | { readonly problem: Problem } {
  try {
    const value = parseExactJson(text);
    const [rounded] = roundedNumbers(value);
    if (rounded === undefined) return { value };
    const path = rounded.reduce<string>(fieldPath, '');
    return { problem: { path, message: ROUNDED } };
  } catch (error) {
    // The browser quotes the text around the fault, which the editor marks anyway.
    const reason = error instanceof Error ? error.message.replace(/, (\.\.\.)?".*$/s, '') : '';
    return { problem: { path: '', message: `expected JSON: ${reason}` } };
  }
}

/** The built-in models and generators. Names that only an organisation may have are added to `unknown`. */
export function noting(
  unknown: Set<string>,
  { models, modelIds, assets, registry }: BuiltinLibrary,
): Required<GeneratorSources> {
  return {
    assets,
    modelIds,
    models: (id) => {
      const found = models(id);
      if (found === undefined && id.startsWith('custom/')) unknown.add(id);
      return found;
    },
    registry: withCompositions(registry, {
      names: () => [],
      read(name) {
        if (/^@(?!svc\/|models\/)/.test(name)) unknown.add(name);
        return undefined;
      },
    }),
  };
}

/** @throws the error itself if the engine did not throw it because of the schema */
export function problemsOf(error: unknown): readonly Problem[] {
  if (error instanceof DefinitionError) return error.problems;
  if (error instanceof GenerationError) return [{ path: error.path, message: error.reason }];
  throw error;
}

export function tableOf(plan: SchemaPlan, seed: number, count: number): ValueTable {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const sink = new ByteSink(1024);
  const cursor = plan.open(seed);
  const rows = Array.from({ length: count }, (_, index) => {
    cursor.moveTo(index);
    return cursor.values.map((value) => {
      writeJsonValue(sink, value);
      return decoder.decode(sink.take());
    });
  });
  return { kind: 'table', columns: plan.output, rows };
}
