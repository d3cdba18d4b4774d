import { compileTemplate, type Names } from '@understudy/expression';
import { deriveKey, RandomStream, WeightedPick } from '@understudy/random';
import { expressionNode, compileEither } from '../../compile/bound-expression.js';
import type { CompileContext } from '../../compile/compile-context.js';
import { joinPath, describe, isObject, own, type JsonObject } from '../../definition/json-value.js';
import { compileJsonTemplate } from '../../compile/json-template.js';
import type { CompileNode, Node } from '../../values/node.js';
import { bindSteps, orderSteps, type Step } from '../../compile/steps.js';
import { evenVariety } from '../../values/variety.js';
import { compileRepeat } from './repeat.js';

export const OUTPUT_KEYS: readonly string[] = ['body', 'variants', 'output', 'computed', 'repeat'];

/**
 * Compiles a composition. Its output can refer to the `outer` names, to its params and to its `let` steps.
 * @param formKeys the keys that can contain the output; the definition must have exactly one of them
 */
export function compileComposition(
  definition: JsonObject,
  path: string,
  outer: Names,
  context: CompileContext,
  compileNode: CompileNode,
  formKeys = OUTPUT_KEYS,
): Node | undefined {
  const forms = formKeys.filter((key) => Object.hasOwn(definition, key));
  const [form] = forms;
  if (form === undefined || forms.length > 1) {
    return context.fail(path, `a composition must have exactly one of ${formKeys.join(', ')}`);
  }
  const names = new Map(outer);
  const constants = declareParams(own(definition, 'params'), joinPath(path, 'params'), names, context);
  const steps = compileSteps(own(definition, 'let'), joinPath(path, 'let'), names, context, compileNode);
  const output = compileOutput(
    form,
    own(definition, form),
    joinPath(path, form),
    names,
    context,
    compileNode,
  );
  if (steps === undefined || output === undefined) return undefined;
  if (steps.length === 0 && constants.length === 0) return output;

  // Sorting all steps finds every cycle, even if the output does not need it.
  const before = context.problems.length;
  orderSteps(steps, slotsOfSteps(steps), context);
  if (context.problems.length > before) return undefined;
  const ordered = orderSteps(steps, output.reads, context);
  const ownSlots = new Set([...slotsOfSteps(steps), ...constants.map(({ slot }) => slot)]);
  const reads = [...output.reads, ...ordered.flatMap(({ node }) => [...node.reads])].filter(
    (slot) => !ownSlots.has(slot),
  );
  return {
    ...(output.traits?.collisionFree && { traits: { collisionFree: output.traits.collisionFree } }),
    reads: new Set(reads),
    bind(key) {
      const fill = bindSteps(ordered, key);
      const cell = output.bind(deriveKey(key, form));
      return (row) => {
        for (const { slot, value } of constants) row.slots[slot] = value;
        fill(row);
        return cell(row);
      };
    },
  };
}

/** Compiles named generators that may refer to each other in any order. Adds their names to `names`. */
export function compileSteps(
  steps: unknown,
  path: string,
  names: Map<string, number>,
  context: CompileContext,
  compileNode: CompileNode,
): Step[] | undefined {
  if (steps === undefined) return [];
  if (!isObject(steps)) return context.fail(path, `must be an object of generators, got ${describe(steps)}`);
  const entries = Object.entries(steps).map(([name, definition]) => ({
    name,
    definition,
    slot: context.newSlot(),
  }));
  for (const { name, slot } of entries) names.set(name, slot);
  return entries.flatMap(({ name, definition, slot }) => {
    const stepPath = joinPath(path, name);
    const node = compileNode(definition, stepPath, names, context);
    return node === undefined ? [] : [{ name, path: stepPath, slot, node }];
  });
}

function slotsOfSteps(steps: readonly Step[]): number[] {
  return steps.map(({ slot }) => slot);
}

interface Constant {
  readonly slot: number;
  readonly value: unknown;
}

/**
 * Declares the params of an inline composition. It receives no arguments, so its params have their defaults.
 */
function declareParams(
  params: unknown,
  path: string,
  names: Map<string, number>,
  context: CompileContext,
): Constant[] {
  if (params === undefined) return [];
  if (!isObject(params)) {
    context.fail(path, `must be an object, got ${describe(params)}`);
    return [];
  }
  return Object.entries(params).map(([name, declaration]) => {
    const slot = context.newSlot();
    names.set(name, slot);
    if (!isObject(declaration) || !Object.hasOwn(declaration, 'default')) {
      context.fail(
        joinPath(path, name),
        'a param of an inline composition needs a default, because no caller passes a value',
      );
      return { slot, value: null };
    }
    const value = own(declaration, 'default');
    context.constants[slot] = value;
    return { slot, value };
  });
}

function compileOutput(
  form: string,
  value: unknown,
  path: string,
  names: Names,
  context: CompileContext,
  compileNode: CompileNode,
): Node | undefined {
  switch (form) {
    case 'body':
      return compileBody(value, path, names, context);
    case 'variants':
      return compileVariants(value, path, names, context);
    case 'computed':
      if (typeof value === 'string') return compileEither(value, path, names, context);
      return context.fail(path, `must be an expression, got ${describe(value)}`);
    case 'repeat':
      return compileRepeat(value, path, names, context, compileNode);
    default:
      return compileJsonTemplate(value, path, names, context);
  }
}

/** Compiles a template that renders to text. */
export function compileBody(
  value: unknown,
  path: string,
  names: Names,
  context: CompileContext,
): Node | undefined {
  if (typeof value !== 'string')
    return context.fail(path, `must be a template string, got ${describe(value)}`);
  const template = context.attempt(path, () => compileTemplate(value, names));
  if (template === undefined) return undefined;
  const node = expressionNode(template, template.render, { names, path, context }, template.write);
  if (template.constant) return { ...node, variety: () => evenVariety(1) };
  return template.uuid === undefined ? node : { ...node, traits: { collisionFree: template.uuid } };
}

function compileVariants(
  value: unknown,
  path: string,
  names: Names,
  context: CompileContext,
): Node | undefined {
  if (!Array.isArray(value)) return context.fail(path, `must be an array, got ${describe(value)}`);
  const variants = value.map((variant: unknown, i) =>
    compileVariant(variant, joinPath(path, i), names, context),
  );
  const complete = variants.filter((variant) => variant !== undefined);
  if (complete.length < variants.length) return undefined;
  if (!complete.some(({ weight }) => weight > 0))
    return context.fail(path, 'must contain a variant with a weight above 0');
  const pick = new WeightedPick(complete.map(({ weight }) => weight));
  const reads = new Set(complete.flatMap(({ node }) => [...node.reads]));
  if (complete.length > 1) context.inspect(reads); // a value of one variant can equal the text of another
  return {
    reads,
    bind(key) {
      const pickKey = deriveKey(key, 'variant');
      const random = new RandomStream();
      const cells = complete.map(({ node }, i) => node.bind(deriveKey(key, `variant ${i}`)));
      return (row) => cells[pick.pick(random.seekWords(pickKey, row.hi, row.lo, row.attempt))]?.(row);
    },
  };
}

function compileVariant(
  variant: unknown,
  path: string,
  names: Names,
  context: CompileContext,
): { node: Node; weight: number } | undefined {
  if (!isObject(variant))
    return context.fail(path, `must be an object with a pattern, got ${describe(variant)}`);
  const weight = own(variant, 'weight') ?? 1;
  if (typeof weight !== 'number' || !(weight >= 0 && weight <= 1e15)) {
    return context.fail(
      joinPath(path, 'weight'),
      `must be a number from 0 to 10^15, got ${describe(weight)}`,
    );
  }
  const node = compileBody(own(variant, 'pattern'), joinPath(path, 'pattern'), names, context);
  return node && { node, weight };
}
