import { UnsatisfiableError } from './errors.js';
import { findSymbol, type ModelGraph } from './model-graph.js';

/**
 * In code points. No model learns or writes a longer word: a hostile one could otherwise go on for billions of
 * symbols.
 */
export const LONGEST_WORD = 65_536;

/** What a word must be like. Texts are compared after NFC, lengths count code points, both bounds included. */
export interface WordConstraints {
  readonly startsWith?: string;
  readonly endsWith?: string;
  readonly contains?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Never a training value. */
  readonly excludeOriginals?: boolean;
}

/** The same in the model's symbols. */
export interface ResolvedConstraints {
  readonly prefix: readonly number[];
  readonly suffix: readonly number[];
  readonly infix: readonly number[];
  readonly minLength: number;
  /** Infinity when there is none. */
  readonly maxLength: number;
}

/** @throws UnsatisfiableError when a text has a symbol the model never writes, or the lengths leave no room */
export function resolveConstraints(graph: ModelGraph, constraints: WordConstraints): ResolvedConstraints {
  const prefix = symbolsOf(graph, constraints.startsWith, 'starts_with');
  const suffix = symbolsOf(graph, constraints.endsWith, 'ends_with');
  const infix = symbolsOf(graph, constraints.contains, 'contains');
  const minLength = lengthOf(constraints.minLength, 'min_length') ?? 0;
  const maxLength = lengthOf(constraints.maxLength, 'max_length') ?? Infinity;
  if (minLength > maxLength) {
    throw new UnsatisfiableError(`min_length ${minLength} is greater than max_length ${maxLength}`);
  }
  if (Math.max(minLength, prefix.length) > LONGEST_WORD) {
    throw new UnsatisfiableError(`no word is longer than ${LONGEST_WORD} characters`);
  }
  for (const [name, text] of [
    ['starts_with', prefix],
    ['ends_with', suffix],
    ['contains', infix],
  ] as const) {
    if (text.length > maxLength)
      throw new UnsatisfiableError(`${name} is longer than max_length ${maxLength}`);
  }
  return { prefix, suffix, infix, minLength, maxLength };
}

function symbolsOf(graph: ModelGraph, text: string | undefined, name: string): number[] {
  const points = [...(text ?? '').normalize('NFC')];
  return points.map((character, i) => {
    const symbol = findSymbol(graph, character.codePointAt(0) as number);
    if (symbol < 0) throw new UnsatisfiableError(`the model never writes character ${i + 1} of ${name}`);
    return symbol;
  });
}

function lengthOf(length: number | undefined, name: string): number | undefined {
  if (length !== undefined && (!Number.isSafeInteger(length) || length < 0)) {
    throw new UnsatisfiableError(`${name} must be a whole number from 0`);
  }
  return length;
}
