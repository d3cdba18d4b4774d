import { writeExactJson } from '@understudy/expression';
import { AUTHORED_TYPES } from '@understudy/generator';
import { isObject } from '@understudy/sync-job';

import type { CatalogGenerator } from '../../engine/worker/messages.js';
import { TEXTS } from '../texts.js';

export const RULE_KINDS = ['keep', 'model', 'template', 'generator', 'json'] as const;
export type RuleKind = (typeof RULE_KINDS)[number];
export type Rule = Readonly<Record<string, unknown>>;

/** Returns the form of a rule, or undefined for none or for a form that only JSON can show. */
export function kindOf(rule: unknown): RuleKind | undefined {
  if (!isObject(rule)) return undefined;
  if (rule['preserve'] !== undefined) return 'keep';
  if (rule['json'] !== undefined) return 'json';
  const { generator } = rule;
  if (generator === 'template') return 'template';
  if (typeof generator === 'string') return 'model';
  return typeof rule['type'] === 'string' || typeof rule['use'] === 'string' ? 'generator' : undefined;
}

/** Returns the first rule of a kind. Its empty parts are left to the user. */
export function newRule(kind: RuleKind): Rule {
  switch (kind) {
    case 'keep':
      return { preserve: true };
    case 'model':
      return { generator: '' };
    case 'template':
      return { generator: 'template', pattern: '' };
    case 'generator':
      return { type: 'svc', algorithm: 'uuid_v4' };
    case 'json':
      return { json: {} };
  }
}

/** Returns the registered name of the generator that a rule selects, such as `@svc/core:logic.int_between`. */
export function generatorOf({ type, algorithm, use }: Rule): string | undefined {
  if (typeof use === 'string') return use;
  if (typeof type !== 'string') return undefined;
  return AUTHORED_TYPES.get(type)?.use ?? `@svc/core:logic.${String(algorithm)}`;
}

/** Returns a rule for a generator: the first example of its documentation. */
export function ruleOfGenerator({ name, examples }: CatalogGenerator): Rule {
  return examples[0] ?? { use: name };
}

/** Returns the params of a rule, which most generators have in `params`, and some at the top. */
export function paramsOf(rule: Rule): Rule {
  if (areParamsAtTop(rule)) return rule;
  const { params } = rule;
  return isObject(params) ? params : {};
}

/** @param value undefined removes the param */
export function withParam(rule: Rule, name: string, value: unknown): Rule {
  if (areParamsAtTop(rule)) return withKey(rule, name, value);
  const params = withKey(paramsOf(rule), name, value);
  return withKey(rule, 'params', Object.keys(params).length === 0 ? undefined : params);
}

/** Returns the path of a param in its rule, as problems name it. */
export function pathOfParam(rule: Rule, name: string): string {
  return areParamsAtTop(rule) ? name : `params.${name}`;
}

export function withKey(rule: Rule, key: string, value: unknown): Rule {
  if (value !== undefined) return { ...rule, [key]: value };
  return Object.fromEntries(Object.entries(rule).filter(([name]) => name !== key));
}

function areParamsAtTop({ type }: Rule): boolean {
  return typeof type === 'string' && AUTHORED_TYPES.has(type);
}

const { rule: texts } = TEXTS;

/** Returns a rule in a few words. */
export function summaryOf(rule: unknown): string {
  const kind = kindOf(rule);
  if (!isObject(rule)) return texts.open;
  switch (kind) {
    case 'keep':
      return texts.kept;
    case 'model':
      return texts.modelSummary(String(rule['generator']));
    case 'template':
      return String(rule['pattern'] ?? '');
    case 'json':
      return texts.pathsSummary(isObject(rule['json']) ? Object.keys(rule['json']).length : 0);
    case 'generator':
      return generatorSummary(rule);
    case undefined:
      return texts.otherSummary;
  }
}

function generatorSummary(rule: Rule): string {
  const name = generatorOf(rule)?.replace(/^@svc\/core:(logic\.)?/, '') ?? texts.otherSummary;
  const params = areParamsAtTop(rule) ? { values: rule['values'], source: rule['source'] } : paramsOf(rule);
  const shown = Object.entries(params)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key} ${writeExactJson(value)}`);
  return [name, ...shown].join(', ').slice(0, 200);
}
