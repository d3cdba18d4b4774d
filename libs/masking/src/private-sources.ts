import { MaskingRuleError } from './masking-errors.js';

type JsonObject = Readonly<Record<string, unknown>>;

/** Is it a model that an agent trained on its customer's values? */
export function isPrivateModel(id: unknown): boolean {
  return typeof id === 'string' && id.startsWith('private/');
}

/**
 * The definition with `exclude_originals` on every model generator inside it that draws from a private model, whatever the
 * rule says: what it was trained on are real values.
 */
export function withoutOriginals(definition: unknown): unknown {
  if (Array.isArray(definition)) return definition.map(withoutOriginals);
  if (!isObject(definition)) return definition;
  const copy = Object.fromEntries(
    Object.entries(definition).map(([key, value]) => [key, withoutOriginals(value)]),
  );
  if (!drawsFromPrivateModel(definition)) return copy;
  const constraints = isObject(copy['constraints']) ? copy['constraints'] : {};
  return { ...copy, constraints: { ...constraints, exclude_originals: true } };
}

/**
 * A registered composition as a job may use it: it hands out what no rule could have asked for itself.
 * @throws MaskingRuleError rule_invalid when it asks a private model for training items
 */
export function compositionOfJob(use: string, definition: unknown): unknown {
  if (!asksForOriginals(definition)) return withoutOriginals(definition);
  throw new MaskingRuleError('rule_invalid', use, [
    { path: use, message: 'a private model does not serve real_word' },
  ]);
}

/** Does it ask a private model for `real_word`, that is for a training item, anywhere inside? */
export function asksForOriginals(definition: unknown): boolean {
  if (Array.isArray(definition)) return definition.some(asksForOriginals);
  if (!isObject(definition)) return false;
  const generation = definition['generation'] ?? paramsOf(definition)['generation'];
  const mode = isObject(generation) ? generation['mode'] : undefined;
  if (mode === 'real_word' && drawsFromPrivateModel(definition)) return true;
  return Object.values(definition).some(asksForOriginals);
}

function drawsFromPrivateModel(definition: JsonObject): boolean {
  return isPrivateModel(definition['source']) || isPrivateModel(paramsOf(definition)['source']);
}

function paramsOf(definition: JsonObject): JsonObject {
  return isObject(definition['params']) ? definition['params'] : {};
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
