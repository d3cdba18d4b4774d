import { definitionOfRule, type ProducingRule } from '@understudy/column-rule';
import {
  compileDefinition,
  compileTemplate,
  DefinitionError,
  type GeneratorSources,
  type ModelSource,
} from '@understudy/generator';
import type { CellPlan, ColumnMask, MaskedColumn } from './column-mask.js';
import { MaskingRuleError } from './masking-errors.js';
import { columnKeyOf, consistentKeyOf, type JobKeyMaterial, originalKeyOf } from './masking-keys.js';
import { asksForOriginals, isPrivateModel, withoutOriginals } from './private-sources.js';

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
      // A template may make the id on a row, where nothing can exclude originals any more.
      if (!compiling && isPrivateModel(id)) return undefined;
      const found = context.models(id);
      if (found === undefined) missing.add(id);
      else hashes.set(id, found.hash);
      return found?.model;
    },
  };
  refuseOriginals(column);
  const plan = compileOrThrow(column, missing, () =>
    rule.kind === 'template'
      ? compileTemplate(rule.pattern, {
          ...options,
          path: `${column.path}.pattern`,
          modifiers: modifiersOf(rule),
          modifiersPath: column.path,
        })
      : compileDefinition(
          fittedDefinition(rule, rule.consistent ? undefined : column.maxLength, context),
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
  if (rule.consistent !== true) {
    const { name, jsonSteps } = column;
    const place = { table: context.table, name, ...(jsonSteps === undefined ? {} : { jsonSteps }) };
    return {
      column,
      plan,
      key: columnKeyOf(context.job, { ...place, rule, modelHashes }),
      differs,
      references,
    };
  }
  if (references.length > 0) {
    throw new MaskingRuleError('rule_invalid', column.name, [
      { path: `${column.path}.consistent`, message: 'a consistent rule reads no other column' },
    ]);
  }
  const key = consistentKeyOf(context.job, whatItMakes(rule), modelHashes);
  return { column, plan, key, originalKey: originalKeyOf(key), differs, references };
}

/** The same for two ways of writing one rule. */
function whatItMakes(rule: ProducingRule): unknown {
  return rule.kind === 'template' ? { pattern: rule.pattern, ...modifiersOf(rule) } : definitionOfRule(rule);
}

/** A private model, trained on real values, never hands one out. */
function refuseOriginals({ rule, name, path }: MaskedColumn): void {
  if (rule.kind === 'template' || !asksForOriginals(definitionOfRule(rule))) return;
  throw new MaskingRuleError('rule_invalid', name, [
    { path, message: 'a private model does not serve real_word' },
  ]);
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
  const definition = withoutOriginals(definitionOfRule(rule)) as Record<string, unknown>;
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
