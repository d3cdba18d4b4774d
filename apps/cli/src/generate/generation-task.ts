import { builtinLibrary } from '@understudy/builtin-models/node';
import { compileSchema, type SchemaPlan } from '@understudy/generator';
import { readModel } from '@understudy/ngram';
import type { RowLayout } from './row-layout.js';

/** Everything that the rows depend on. Contains plain data only, because it is sent to threads. */
export interface GenerationTask {
  readonly schema: unknown;
  /** The content of each custom model's file, by model id. */
  readonly models: ReadonlyMap<string, Uint8Array>;
  readonly nowMs: number;
  readonly seed: number;
}

export interface RowTask extends GenerationTask {
  readonly layout: RowLayout;
}

/** A range of row numbers; the first row is 0. */
export interface RowRange {
  readonly from: number;
  /** The number of the row after the last row of the range. */
  readonly to: number;
}

/**
 * Compiles the schema with its models.
 * @throws DefinitionError if the schema is invalid, ModelFormatError if a model is invalid
 */
export function compileTask({ schema, models: files, nowMs }: GenerationTask): SchemaPlan {
  const { models, assets, registry } = builtinLibrary();
  const own = new Map([...files].map(([id, bytes]) => [id, readModel(bytes)]));
  return compileSchema(schema, { models: (id) => own.get(id) ?? models(id), assets, registry, nowMs });
}
