import { definitionOfRule, type ProducingRule } from '@understudy/column-rule';
import {
  compileDefinition,
  compileTemplate,
  DefinitionError,
  type GeneratorSources,
  type ModelSource,
} from '@understudy/generator';
import type { Key } from '@understudy/random';
import type { CellPlan, ColumnMask, MaskedColumn } from './column-mask.js';
import { IntegerPermutation } from '../unique/unique-rows.js';
import { MaskingRuleError } from './masking-errors.js';
import { columnKeyOf, consistentKeyOf, type JobKeyMaterial, originalKeyOf } from './masking-keys.js';

/** What stands behind a model's id, with the hash of its file: another file of the same name gives other values. */
export interface HashedModel {
  readonly model: ModelSource;
  readonly hash: string;
}

export interface MaskingContext extends Omit<GeneratorSources, 'models'> {
  readonly job: JobKeyMaterial;
  /** Names the table in the keys: `schema.table`. */
  readonly table: string;
  readonly models: (id: string) => HashedModel | undefined;
}

/**
 * Compiles one column's rule.
 * @param produced names of all columns of the table whose values are produced: what a template may refer to
 * @throws MaskingRuleError
 */
export function compileColumnMask(
  column: MaskedColumn,
  produced: readonly string[],
  context: MaskingContext,
): ColumnMask {
  const { rule } = column;
  const hashes = new Map<string, string>();
  const missing = new Set<string>();
  let compiling = true;
  const { assets, registry } = context;
  const options = {
    ...(assets === undefined ? {} : { assets }),
    ...(registry === undefined ? {} : { registry }),
    nowMs: context.job.referenceInstantMs,
    path: column.path,
    bindings: produced,
    models: (id: string) => {
      // A template may make the id on a row, after the hash of the model's file should have become part of the key.
      if (!compiling && isPrivateModel(id)) return undefined;
      const found = context.models(id);
      if (found === undefined) missing.add(id);
      else hashes.set(id, found.hash);
      return found && servedModel(id, found.model);
    },
  };
  const plan = compileOrThrow(column, missing, () =>
    rule.kind === 'template'
      ? compileTemplate(rule.pattern, {
          ...options,
          path: `${column.path}.pattern`,
          modifiers: modifiersOf(rule),
          modifiersPath: column.path,
        })
      : compileDefinition(
          fittedDefinition(rule, rule.consistent === true ? undefined : column.maxLength, context),
          options,
        ),
  );
  compiling = false;
  const references = plan.references.filter((name) => produced.includes(name));
  if (references.includes(column.name)) {
    throw new MaskingRuleError('rule_invalid', column.name, [
      { path: column.path, message: 'refers to its own column' },
    ]);
  }
  const modelHashes = [...hashes].map(([id, hash]) => `${id} ${hash}`).sort();
  const differs = rule.differs ?? (rule.kind === 'model' && column.isText);
  const mask = { column, plan, differs, references };
  if (rule.consistent !== true) {
    const { name, jsonSteps, sharedKey } = column;
    const place = sharedKey ?? { table: context.table, name };
    const steps = jsonSteps === undefined ? {} : { jsonSteps };
    const key = columnKeyOf(context.job, { ...place, ...steps, rule, modelHashes });
    return sharedKey === undefined ? { ...mask, key } : byOriginals(mask, key);
  }
  return byOriginals(mask, consistentKeyOf(context.job, whatItMakes(rule), modelHashes));
}

/**
 * Makes the values a function of the originals. Where the rule's values are integers, originals among them are permuted; where two
 * rows never have the same by chance, so many bits of the original are taken that two originals do not either.
 */
export function byOriginals(mask: Omit<ColumnMask, 'key'>, key: Key): ColumnMask {
  const { column, plan, references, differs } = mask;
  const { collisionFree, numbered } = plan.traits ?? {};
  const isKey = column.sharedKey !== undefined;
  if (references.length > 0) {
    const path = isKey ? column.path : `${column.path}.consistent`;
    const message = `a ${isKey ? 'masked key' : 'consistent rule'} reads no other column`;
    throw new MaskingRuleError('rule_invalid', column.name, [{ path, message }]);
  }
  if (plan.countsRows === true && (!isKey || column.rule.consistent === true)) {
    const message = 'a consistent rule counts no rows';
    throw new MaskingRuleError('rule_invalid', column.name, [{ path: column.path, message }]);
  }
  const permuted = numbered?.from !== undefined && !differs;
  return {
    ...mask,
    key,
    originalKey: originalKeyOf(key),
    ...(collisionFree === undefined ? {} : { uses96Bits: true }),
    ...(permuted
      ? { integers: new IntegerPermutation(key, { from: numbered.from, count: numbered.count }) }
      : {}),
  };
}

/** The same for two ways of writing one rule. */
function whatItMakes(rule: ProducingRule): unknown {
  return rule.kind === 'template' ? { pattern: rule.pattern, ...modifiersOf(rule) } : definitionOfRule(rule);
}

/** A private model, trained on real values, never hands one out, however a definition came to its id. */
function servedModel(id: string, model: ModelSource): ModelSource {
  return isPrivateModel(id) && !('kind' in model) ? { kind: 'private', model } : model;
}

function modifiersOf({ nullable, transform }: ProducingRule): { nullable?: number; transform?: string } {
  return {
    ...(nullable === undefined ? {} : { nullable }),
    ...(transform === undefined ? {} : { transform }),
  };
}

/**
 * Words are drawn to the column's length instead of cut, but for those of compositions and of consistent rules: these make
 * the same word for a column of another length.
 */
function fittedDefinition(
  rule: Exclude<ProducingRule, { kind: 'template' }>,
  maxLength: number | undefined,
  { models }: MaskingContext,
): Record<string, unknown> {
  const definition = definitionOfRule(rule);
  if (definition['type'] !== 'model') return definition;
  const constraints = { ...(definition['constraints'] as Record<string, unknown> | undefined) };
  if (
    maxLength !== undefined &&
    drawsWords(definition['generation']) &&
    takesLengths(models, definition['source'])
  ) {
    const asked = constraints['max_length'];
    if (asked === undefined) constraints['max_length'] = maxLength;
    else if (typeof asked === 'number') constraints['max_length'] = Math.min(asked, maxLength);
  }
  return Object.keys(constraints).length === 0 ? definition : { ...definition, constraints };
}

function takesLengths(models: MaskingContext['models'], id: unknown): boolean {
  const model = typeof id === 'string' ? models(id)?.model : undefined;
  return model === undefined || !('kind' in model) || model.kind !== 'composition';
}

function drawsWords(generation: unknown): boolean {
  if (typeof generation !== 'object' || generation === null) return true;
  return ((generation as Record<string, unknown>)['mode'] ?? 'word') === 'word';
}

function compileOrThrow<P extends CellPlan>(column: MaskedColumn, missing: Set<string>, compile: () => P): P {
  try {
    return compile();
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    const code = missing.size > 0 ? 'model_not_found' : 'rule_invalid';
    throw new MaskingRuleError(code, column.name, error.problems);
  }
}

/** Is it a model that an agent trained on its customer's values? */
export function isPrivateModel(id: unknown): boolean {
  return typeof id === 'string' && id.startsWith('private/');
}
