import { compileExpression } from '../src/compile/expression.js';
import { type Draws } from '../src/compile/compile.js';
import { deriveKey, RandomStream, rootKey } from '@understudy/random';

const KEY = rootKey('expression tests', 1);

/** Returns streams that depend only on the site of the call. */
export function testDraws(): Draws {
  const random = new RandomStream();
  return { stream: (site) => random.seek(deriveKey(KEY, String(site)), 0) };
}

/** Evaluates an expression with the given values by name. */
export function evaluate(source: string, values: Readonly<Record<string, unknown>> = {}): unknown {
  const entries = Object.entries(values);
  const names = new Map(entries.map(([name], slot) => [name, slot]));
  return compileExpression(source, names).evaluate(
    entries.map(([, value]) => value),
    testDraws(),
  );
}
