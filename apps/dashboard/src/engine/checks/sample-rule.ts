import { writeExactJson } from '@understudy/expression';
import type { BuiltinLibrary } from '@understudy/builtin-models';
import { definitionOfRule, parseColumnRule, type ProducingRule } from '@understudy/column-rule';
import { compileSchema } from '@understudy/generator';

import { noting, problemsOf, tableOf } from '../worker/schema-steps.js';
import type { WrittenRules } from './check-rules.js';

/** Asks for sample values of one column's rule. */
export interface SampleRuleRequest {
  readonly kind: 'sample-rule';
  readonly rule: unknown;
  /** The rules of the other columns of the table, which a pattern may read. */
  readonly others: WrittenRules;
  readonly seed: number;
  /** The time to which relative dates refer. */
  readonly nowMs: number;
}

export interface SampledRule {
  readonly kind: 'sample-rule';
  /** JSON of each value. Empty if the rule produces no value itself, or cannot be compiled here. */
  readonly samples: readonly string[];
  /** Names of models and generators that only the organisation or an agent has. */
  readonly unknownNames: readonly string[];
}

/** The number of sample values. */
const SAMPLES = 6;
/** The name of the sampled rule in the schema. No column has a rule of this name, because it is replaced. */
const VALUE = 'sampled_value';

/**
 * Generates values as a rule produces them, with the generators of the product. A job derives its values from the
 * masking key, so it generates other values of the same kind.
 * @throws AssetError if a file of a built-in model cannot be fetched
 */
export function sampleRule(request: SampleRuleRequest, library: BuiltinLibrary): SampledRule {
  const { rule, others, seed, nowMs } = request;
  const unknown = new Set<string>();
  const sampled = (samples: readonly string[]): SampledRule => ({
    kind: 'sample-rule',
    samples,
    unknownNames: [...unknown].concat(privateModels(rule)),
  });
  const value = definitionOf(rule);
  if (value === undefined) return sampled([]);
  const schema = { generators: { ...readDefinitions(value, others), [VALUE]: value }, output: [VALUE] };
  try {
    const { rows } = tableOf(compileSchema(schema, { ...noting(unknown, library), nowMs }), seed, SAMPLES);
    return sampled(rows.map(([text = '']) => text));
  } catch (error) {
    problemsOf(error); // throws what is not a problem of the rules, which the form shows anyway
    return sampled([]);
  }
}

/** Returns the definitions of the columns whose names occur in the expressions of a definition, directly or not. */
function readDefinitions(value: object, others: WrittenRules): Record<string, unknown> {
  const rules = new Map(others);
  const found: Record<string, unknown> = {};
  const waiting: object[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    for (const [name] of writeExactJson(next).matchAll(/[A-Za-z_]\w*/g)) {
      const definition = Object.hasOwn(found, name) ? undefined : definitionOf(rules.get(name));
      if (definition === undefined) continue;
      found[name] = definition;
      waiting.push(definition);
    }
  return found;
}

/** Returns the generator of a rule, or undefined if it keeps values, changes parts of a document, or is invalid. */
function definitionOf(rule: unknown): Record<string, unknown> | undefined {
  const parsed = parseColumnRule(rule, '');
  if ('problems' in parsed || parsed.rule.kind === 'preserve' || parsed.rule.kind === 'json')
    return undefined;
  return toDefinition(parsed.rule);
}

function toDefinition(rule: ProducingRule): Record<string, unknown> {
  if (rule.kind !== 'template') return definitionOfRule(rule);
  const { pattern, nullable, transform } = rule;
  return {
    body: pattern,
    ...(nullable !== undefined && { nullable }),
    ...(transform !== undefined && { transform }),
  };
}

/** Private models are only on agents, and the library does not know their names. */
function privateModels(rule: unknown): string[] {
  return [...writeExactJson(rule).matchAll(/"(private\/[^"]{1,200})"/g)].map(([, id = '']) => id);
}
