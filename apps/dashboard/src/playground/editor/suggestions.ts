import { SUGGESTIONS } from '../texts.js';
import type { Catalog, CatalogGenerator } from '../../engine/worker/messages.js';
import type { ContextObject, JsonContext } from './json-context.js';

/** One thing that may be written at the cursor. */
export interface Suggestion {
  /** The text without quotation marks. */
  readonly text: string;
  /** A few words beside the text. */
  readonly detail?: string | undefined;
  /** Sentences about it. */
  readonly info?: string | undefined;
}

const TYPES = ['svc', 'list', 'model', 'statistical', 'event_sequence'];
const LOGIC = '@svc/core:logic.';
/**
 * Returns what may be written at the cursor, from the tables of the engine.
 * @param beforeCursor the written part of the text at the cursor, without its first quotation mark
 */
export function suggest(context: JsonContext, catalog: Catalog, beforeCursor: string): readonly Suggestion[] {
  const { kind, path, objects } = context;
  if (kind === 'value' && isInExpression(beforeCursor)) return expressionNames(context, catalog);
  if (kind === 'name' && path.length === 0)
    return (catalog.topLevel ?? ['generators', 'output']).map((text) => ({ text }));
  if (path[0] === 'output') return context.generators.map(asGenerator);
  const depth = definitionDepth(path);
  const definition = objects.find((object) => object.path.length === depth);
  if (depth === undefined || definition === undefined) return [];
  const below = path.slice(depth).map(String);
  return kind === 'name' ? namesIn(below, definition, catalog) : valuesOf(below, definition, catalog);
}

/** Returns the length of the path to the definition at the cursor. Definitions are in `generators` and `let`. */
function definitionDepth(path: readonly (string | number)[]): number | undefined {
  for (let index = path.length - 1; index >= 1; index -= 1)
    if (path[index - 1] === 'let' || (index === 1 && path[0] === 'generators')) return index + 1;
  return undefined;
}

function namesIn(
  below: readonly string[],
  definition: ContextObject,
  catalog: Catalog,
): readonly Suggestion[] {
  const generator = generatorOf(definition, catalog);
  const [first] = below;
  if (first === undefined) return withoutWritten(keysOf(definition, generator), definition);
  if (generator === undefined || below.length > 1) return [];
  if (first === 'params' && isOnlyInParams(definition)) return paramsOf(generator.params);
  return first === 'constraints' ? paramsOf(generator.constraints) : [];
}

function keysOf({ texts }: ContextObject, generator: CatalogGenerator | undefined): readonly Suggestion[] {
  const constraints = Object.keys(generator?.constraints ?? {}).length > 0 ? [{ text: 'constraints' }] : [];
  if (texts['use'] !== undefined) return [{ text: 'params' }, ...constraints, ...SUGGESTIONS.modifiers];
  if (texts['type'] === undefined) return [...SUGGESTIONS.forms, ...SUGGESTIONS.modifiers];
  const own = isSvc(texts['type'])
    ? [{ text: 'algorithm' }, { text: 'params' }]
    : paramsOf(generator?.params ?? {});
  return [...own, ...constraints, ...SUGGESTIONS.modifiers];
}

function valuesOf(
  below: readonly string[],
  definition: ContextObject,
  catalog: Catalog,
): readonly Suggestion[] {
  const [first, second] = below;
  const generator = generatorOf(definition, catalog);
  if (first === 'type') return TYPES.map((text) => ({ text }));
  if (first === 'use')
    return [...catalog.generators.map(described), ...catalog.models.filter(isComposition).map(ofModel)];
  if (first === 'algorithm')
    return catalog.generators
      .filter(({ name }) => name.startsWith(LOGIC))
      .map((each) => ({ ...described(each), text: each.name.slice(LOGIC.length) }));
  const isModel = definition.texts['type'] === 'model' || definition.texts['use'] === '@svc/core:model';
  const key = first === 'params' ? second : first;
  if (key === 'source')
    return catalog.models.filter((model) => isModel || model.items !== undefined).map(ofModel);
  const declared = key === undefined ? undefined : generator?.params[key];
  return (declared?.values ?? []).map((text) => ({ text }));
}

function generatorOf({ texts }: ContextObject, { generators }: Catalog): CatalogGenerator | undefined {
  const { type, use, algorithm } = texts;
  const name =
    use ?? (type !== undefined && isSvc(type) ? `${LOGIC}${algorithm ?? ''}` : `@svc/core:${type ?? ''}`);
  return generators.find((generator) => generator.name === name);
}

const isSvc = (type: string): boolean => type === 'svc' || type === 'logic' || type === 'the service';

/** Only `svc` and `use` have their params in `params`. The params of other types are keys of the definition. */
function isOnlyInParams({ texts }: ContextObject): boolean {
  return texts['use'] !== undefined || isSvc(texts['type'] ?? '');
}

function paramsOf(manifest: CatalogGenerator['params']): Suggestion[] {
  return Object.entries(manifest).map(([text, { type, description, required }]) => ({
    text,
    detail: required === true ? SUGGESTIONS.required(type) : type,
    info: description,
  }));
}

function withoutWritten(suggestions: readonly Suggestion[], { names }: ContextObject): readonly Suggestion[] {
  return suggestions.filter(({ text }) => !names.includes(text));
}

/** Returns whether the cursor is inside `{{ }}`. @param beforeCursor as in `suggest` */
export function isInExpression(beforeCursor: string): boolean {
  return beforeCursor.lastIndexOf('{{') > beforeCursor.lastIndexOf('}}');
}

/** The names of the generators, of the steps of the compositions that contain the cursor, and of the functions. */
function expressionNames(
  { objects, generators }: JsonContext,
  { functions }: Catalog,
): readonly Suggestion[] {
  const steps = objects.flatMap((object) => object.steps);
  return [
    ...[...new Set([...steps, ...generators])].map(asGenerator),
    ...functions.map((text) => ({ text: `${text}()`, detail: SUGGESTIONS.function })),
  ];
}

const asGenerator = (text: string): Suggestion => ({ text, detail: SUGGESTIONS.generator });

const described = ({ name, description }: CatalogGenerator): Suggestion => ({
  text: name,
  info: description,
});

const isComposition = ({ kind }: Catalog['models'][number]): boolean => kind === 'composition';

const ofModel = ({ id, kind, items }: Catalog['models'][number]): Suggestion => ({
  text: id,
  detail: kind,
  info: items === undefined ? undefined : SUGGESTIONS.items(items),
});
