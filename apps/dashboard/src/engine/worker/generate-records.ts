import type { BuiltinLibrary } from '@understudy/builtin-models';
import { compileSchema, type SchemaPlan } from '@understudy/generator';
import { recordChunks } from '@understudy/records';

import type { Output, RecordsResponse, RecordsRequest } from './messages.js';
import { noting, parseJson, problemsOf, tableOf } from './schema-steps.js';

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

function textOf(plan: SchemaPlan, run: Parameters<typeof recordChunks>[1]): Output {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let text = '';
  for (const { bytes } of recordChunks(plan, run)) text += decoder.decode(bytes, { stream: true });
  text += decoder.decode();
  return { kind: 'text', text: run.format === 'json' ? `[${text}]` : text };
}
