import { didYouMean, type Names } from '@understudy/expression';
import { deriveKey, type Key } from '@understudy/random';
import type { CompileContext } from '../../compile/compile-context.js';
import type { Environment } from '../../compile/environment.js';
import { ParameterFault } from '../../definition/errors.js';
import { joinPath, describe, isObject, own, type JsonObject } from '../../definition/json-value.js';
import { compileJsonTemplate } from '../../compile/json-template.js';
import type { Cell, Row } from '../../values/row.js';
import { readListElements, type ListElement } from './list-elements.js';

/** The elements that a list may pick from. */
export interface Candidates {
  readonly elements: readonly ListElement[];
  /** The path of `elements`, for messages. */
  readonly path: string;
  /** The slots that templates in the elements read. */
  readonly reads: ReadonlySet<number>;
  /** True if no element is a template, so that each has one fixed value. */
  readonly isFixed: boolean;
  bind(key: Key): BoundCandidates;
}

/** Returns the value of the candidate with this index. Renders no other candidate. */
export type BoundCandidates = (index: number, row: Row) => unknown;

export const INLINE = 'inline';

/**
 * Returns the candidates in the param `values`. Texts in these values may be templates. Problems of templates
 * are added to the context.
 * @throws ParameterFault
 */
export function inlineCandidates(
  params: JsonObject,
  paramsPath: string,
  names: Names,
  context: CompileContext,
): Candidates {
  const path = joinPath(paramsPath, 'values');
  const elements = readArray(own(params, 'values'), path);
  const templates = new Map(
    elements.flatMap(({ value }, i) => {
      if (typeof value !== 'object' && !(typeof value === 'string' && value.includes('{{'))) return [];
      const template = compileJsonTemplate(value, joinPath(path, i), names, context);
      return template.constant?.value === value ? [] : [[i, template] as const];
    }),
  );
  const reads = new Set([...templates.values()].flatMap((template) => [...template.reads]));
  context.inspect(reads); // the value of a template can equal another element
  return {
    elements,
    path,
    reads,
    isFixed: templates.size === 0,
    bind(key) {
      if (templates.size === 0) return (index) => elements[index]?.value;
      const cells: (Cell | undefined)[] = elements.map((_, i) =>
        templates.get(i)?.bind(deriveKey(key, `value ${i}`)),
      );
      return (index, row) => {
        const cell = cells[index];
        return cell === undefined ? elements[index]?.value : cell(row);
      };
    },
  };
}

/**
 * Returns the candidates of a list asset. The texts of an asset are data and never templates.
 * @throws ParameterFault
 */
export function assetCandidates(
  args: JsonObject,
  paramsPath: string,
  assets: Environment['assets'],
): Candidates {
  const sourcePath = joinPath(paramsPath, 'source');
  const asset = findAsset(own(args, 'source'), sourcePath, assets);
  const { values, path } = readBucket(asset, own(args, 'key') ?? null, paramsPath, sourcePath);
  const elements = readArray(values, path);
  return { elements, path, reads: new Set(), isFixed: true, bind: () => (index) => elements[index]?.value };
}

function findAsset(source: unknown, path: string, assets: Environment['assets']): unknown {
  const name = isObject(source) && Object.keys(source).length === 1 ? own(source, 'asset') : source;
  if (typeof name !== 'string') {
    throw new ParameterFault(path, `must be an asset's name or {"asset": name}, got ${describe(source)}`);
  }
  const asset = assets?.(name);
  if (asset !== undefined) return asset;
  const shown = /^[\w./-]{1,100}$/.test(name) ? `: ${name}` : '';
  throw new ParameterFault(path, `there is no list asset of this name${shown}`);
}

/** The longest list of keys in an error message. */
const MAX_SHOWN_KEYS = 60;

function shownKeys(keys: readonly string[]): string {
  const more = keys.length > MAX_SHOWN_KEYS ? ', …' : '';
  const isShort = keys.every((key) => /^[\w-]{1,20}$/.test(key));
  return isShort ? `; its keys are ${keys.slice(0, MAX_SHOWN_KEYS).join(', ')}${more}` : '';
}

function readBucket(
  asset: unknown,
  key: unknown,
  paramsPath: string,
  sourcePath: string,
): { values: unknown; path: string } {
  const keyPath = joinPath(paramsPath, 'key');
  if (isObject(asset)) {
    if (key === null) throw new ParameterFault(keyPath, 'is required: the asset is a map of arrays');
    if (typeof key !== 'string') throw new ParameterFault(keyPath, `must be a string, got ${describe(key)}`);
    const values = own(asset, key);
    if (values === undefined) {
      const hint = didYouMean(key, Object.keys(asset)) || shownKeys(Object.keys(asset));
      throw new ParameterFault(keyPath, `the asset has no bucket of this name${hint}`);
    }
    return { values, path: keyPath };
  }
  if (key !== null)
    throw new ParameterFault(keyPath, 'the asset is an array and has no buckets: leave key out');
  return { values: asset, path: sourcePath };
}

function readArray(values: unknown, path: string): ListElement[] {
  if (!Array.isArray(values)) throw new ParameterFault(path, `must be an array, got ${describe(values)}`);
  if (values.length === 0)
    throw new ParameterFault(path, 'must not be empty, because the list picks from it');
  return readListElements(values, path);
}
