import type { BuiltinLibrary } from '@understudy/builtin-models';
import { ByteSink } from '@understudy/bytes';
import {
  compileSchema,
  DefinitionError,
  GenerationError,
  withCompositions,
  type GeneratorSources,
  type Problem,
  type SchemaPlan,
} from '@understudy/generator';
import { recordChunks, writeJsonValue } from '@understudy/records';

import type { Output, RecordsResponse, RecordsRequest } from './messages.js';

/**
 * Generates the records of a schema with the same steps as `POST /generate`, so the bytes are the same. The models and
 * compositions of an organisation are not available here; the response names those that the schema asks for.
 * @throws AssetError if a file of a built-in model cannot be fetched
 */
export function generateRecords(request: RecordsRequest, library: BuiltinLibrary): RecordsResponse {
  const { schema, seed, count, nowMs, format } = request;
  const unknownNames = new Set<string>();
  const parsed = parseJson(schema);
  if ('problem' in parsed) return { kind: 'refused', problems: [parsed.problem], unknownNames: [] };
  try {
    const plan = compileSchema(parsed.value, { ...noting(unknownNames, library), nowMs });
    const warnings = plan.warnings(count);
    const output = format === 'table' ? tableOf(plan, seed, count) : textOf(plan, { seed, count, format });
    return { kind: 'records', output, warnings };
  } catch (error) {
    return { kind: 'refused', problems: problemsOf(error), unknownNames: [...unknownNames] };
  }
}

export function parseJson(text: string): { readonly value: unknown } | { readonly problem: Problem } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    // The browser quotes the text around the fault, which the editor marks anyway.
    const reason = error instanceof Error ? error.message.replace(/, (\.\.\.)?".*$/s, '') : '';
    return { problem: { path: '', message: `expected JSON: ${reason}` } };
  }
}

/** The built-in models and generators. Names that only an organisation may have are added to `unknown`. */
export function noting(
  unknown: Set<string>,
  { models, assets, registry }: BuiltinLibrary,
): Required<GeneratorSources> {
  return {
    assets,
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

export function tableOf(plan: SchemaPlan, seed: number, count: number): Output {
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

function textOf(plan: SchemaPlan, run: Parameters<typeof recordChunks>[1]): Output {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let text = '';
  for (const { bytes } of recordChunks(plan, run)) text += decoder.decode(bytes, { stream: true });
  text += decoder.decode();
  return { kind: 'text', text: run.format === 'json' ? `[${text}]` : text };
}
