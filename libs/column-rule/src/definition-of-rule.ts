import type { DefinitionRule, ModelRule } from './column-rule.js';

/**
 * The generator definition that a rule stands for, its modifiers included, as `compileDefinition` takes it. For a
 * template rule use `compileTemplate`, which takes `nullable` and `transform` beside the pattern.
 */
export function definitionOfRule(rule: ModelRule | DefinitionRule): Record<string, unknown> {
  const { nullable, transform, constraints } = rule;
  const modifiers = Object.fromEntries(
    Object.entries({ nullable, transform, constraints }).filter(([, value]) => value !== undefined),
  );
  if (rule.kind === 'definition') return { ...rule.definition, ...modifiers };
  const generation = rule.generation === undefined ? {} : { generation: rule.generation };
  return { type: 'model', source: rule.modelId, ...generation, ...modifiers };
}
