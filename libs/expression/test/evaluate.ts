import { compileExpression } from '../src/compile/expression.js';
import { type Draws } from '../src/compile/compile.js';
import { deriveKey, RandomStream, rootKey } from '@understudy/random';

const KEY = rootKey('expression tests', 1);

/** Streams that depend on the call's site alone. */
export function testDraws(): Draws {
  const random = new RandomStream();
  return { stream: (site) => random.seek(deriveKey(KEY, String(site)), 0) };
}

/** The value of an expression over `values`, each under its name. */
export function evaluate(source: string, values: Readonly<Record<string, unknown>> = {}): unknown {
  const entries = Object.entries(values);
  const names = new Map(entries.map(([name], slot) => [name, slot]));
  return compileExpression(source, names).evaluate(
    entries.map(([, value]) => value),
    testDraws(),
  );
}
