import { definitionOfRule, type ProducingRule } from '@understudy/column-rule';
import {
  CHOSEN_TEXT_REFUSED,
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
import {
  canonicalJson,
  columnKeyOf,
  consistentKeyOf,
  type JobKeyMaterial,
  originalKeyOf,
} from './masking-keys.js';

/**
 * A model and the hash of its file. Keys are derived from the hash, so another file with the same id gives
 * other values.
 */
export interface HashedModel {
  readonly model: ModelSource;
  readonly hash: string;
}

export interface MaskingContext extends Omit<GeneratorSources, 'models'> {
  readonly job: JobKeyMaterial;
  /** The name of the table that keys are derived from: `schema.table`. */
  readonly table: string;
  readonly models: (id: string) => HashedModel | undefined;
  /**
   * True if rules must not choose the text of a private model's values, and must only insert it into texts. See
   * `PrivateSource` and `insertOnly`.
   */
  readonly refusesChosenText?: boolean;
}

/**
 * Compiles one column's rule.
 * @param produced names of all masked columns of the table, which a template may refer to
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
    isStored: true, // the job was accepted before, perhaps by an earlier version
    path: column.path,
    bindings: produced,
    models: (id: string) => {
      // A template can compute a model's id while rows are masked. The column's key is final by then, so it
      // cannot depend on the model's file.
      if (!compiling && isPrivateModel(id)) return undefined;
      const found = context.models(id);
      if (found === undefined) missing.add(id);
      else hashes.set(id, found.hash);
      return found && servedModel(id, found.model, context);
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
    throw new MaskingRuleError('rules_in_cycle', column.name, [
      { path: column.path, message: 'a template must not refer to its own column' },
    ]);
  }
  const modelHashes = [...hashes].map(([id, hash]) => `${id} ${hash}`).sort();
  const differs = rule.differs ?? differsByDefault(column);
  const usesPrivateModel = [...hashes.keys()].some(isPrivateModel);
  const { inspected } = plan;
  const mask = { column, plan, differs, references, inspected, usesPrivateModel };
  if (rule.consistent !== true) {
    const { name, jsonSteps, sharedKey } = column;
    const owner = sharedKey ?? { table: context.table, name };
    const steps = jsonSteps === undefined ? {} : { jsonSteps };
    const key = columnKeyOf(context.job, { ...owner, ...steps, rule, modelHashes });
    return sharedKey === undefined ? { ...mask, key } : byOriginals(mask, key);
  }
  return byOriginals(mask, consistentKeyOf(context.job, canonicalRule(rule), modelHashes));
}

/** Returns whether `differs` is on for a rule that does not set it. */
export function differsByDefault({
  rule,
  isText,
}: {
  readonly rule: ProducingRule;
  readonly isText: boolean;
}) {
  return rule.kind === 'model' && isText;
}

/**
 * Returns a mask whose new value is a function of the original value. If the rule produces consecutive
 * integers and has no `differs`, originals inside its range are permuted. If the rule's values practically
 * never collide, 96 bits of the original's hash are used, so that two originals do not collide either.
 * @throws MaskingRuleError if the rule reads other columns, or if a rule with `consistent` depends on the row
 * number
 */
export function byOriginals(mask: Omit<ColumnMask, 'key'>, key: Key): ColumnMask {
  const { column, plan, references, differs } = mask;
  const { collisionFree, numbered } = plan.traits ?? {};
  const isKey = column.sharedKey !== undefined;
  if (references.length > 0) {
    const path = isKey ? column.path : `${column.path}.consistent`;
    const message = `the rule of a ${isKey ? 'masked key' : 'consistent column'} must not read other columns`;
    throw new MaskingRuleError('rule_depends_on_row', column.name, [{ path, message }]);
  }
  if (plan.countsRows === true && (!isKey || column.rule.consistent === true)) {
    const message = 'a consistent rule must not use a generator that counts rows';
    throw new MaskingRuleError('rule_depends_on_row', column.name, [{ path: column.path, message }]);
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

/**
 * Returns a text that is equal for two rules whose columns share their values, because both have `consistent`.
 * @returns undefined for a rule without `consistent`
 */
export function consistentId(rule: ProducingRule): string | undefined {
  return rule.consistent === true ? canonicalJson(canonicalRule(rule)) : undefined;
}

/** Returns a form of the rule that is equal for two notations of the same rule. */
function canonicalRule(rule: ProducingRule): unknown {
  return rule.kind === 'template' ? { pattern: rule.pattern, ...modifiersOf(rule) } : definitionOfRule(rule);
}

/** Wraps private models so that they never return a value of the real column that they were trained on. */
function servedModel(
  id: string,
  model: ModelSource,
  { refusesChosenText }: Pick<MaskingContext, 'refusesChosenText'>,
): ModelSource {
  return isPrivateModel(id) && !('kind' in model)
    ? { kind: 'private', model, refusesChosenText: refusesChosenText === true }
    : model;
}

function modifiersOf({ nullable, transform }: ProducingRule): { nullable?: number; transform?: string } {
  return {
    ...(nullable === undefined ? {} : { nullable }),
    ...(transform === undefined ? {} : { transform }),
  };
}

/**
 * Limits generated words to the column's length, so that they need not be cut. Does not limit compositions:
 * they produce the same word for columns of any length.
 * @param maxLength undefined for a rule with `consistent`, whose words must also be the same for any length
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
    generatesWords(definition['generation']) &&
    acceptsMaxLength(models, definition['source'])
  ) {
    const own = constraints['max_length'];
    if (own === undefined) constraints['max_length'] = maxLength;
    else if (typeof own === 'number') constraints['max_length'] = Math.min(own, maxLength);
  }
  return Object.keys(constraints).length === 0 ? definition : { ...definition, constraints };
}

function acceptsMaxLength(models: MaskingContext['models'], id: unknown): boolean {
  const model = typeof id === 'string' ? models(id)?.model : undefined;
  return model === undefined || !('kind' in model) || model.kind !== 'composition';
}

function generatesWords(generation: unknown): boolean {
  if (typeof generation !== 'object' || generation === null) return true;
  return ((generation as Record<string, unknown>)['mode'] ?? 'word') === 'word';
}

function compileOrThrow<P extends CellPlan>(column: MaskedColumn, missing: Set<string>, compile: () => P): P {
  try {
    return compile();
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    throw new MaskingRuleError(codeOf(error, missing), column.name, error.problems);
  }
}

function codeOf(
  { problems, isUnsatisfiable }: DefinitionError,
  missing: Set<string>,
): MaskingRuleError['code'] {
  if (missing.size > 0) return 'model_not_found';
  if (problems.some(({ message }) => message === CHOSEN_TEXT_REFUSED)) return 'model_text_refused';
  return isUnsatisfiable ? 'model_exhausted' : 'rule_invalid';
}

/** Returns true for the id of a model that an agent trained on its customer's values. */
export function isPrivateModel(id: unknown): boolean {
  return typeof id === 'string' && id.startsWith('private/');
}
