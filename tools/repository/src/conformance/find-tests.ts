import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const SUITE = 'apps/control-plane/test/conformance';

/** One `requirement('4.2.3', …)` of the suite. */
export interface DeclaredTest {
  readonly id: string;
  readonly file: string;
}

const DECLARATION = /^requirement\(\s*'([^']+)'/gm;

/** The tests that the suite's files declare, in their order. */
export function declaredTests(root: string): DeclaredTest[] {
  return readdirSync(join(root, SUITE))
    .filter((name) => name.endsWith('.spec.ts'))
    .sort()
    .flatMap((name) => {
      const text = readFileSync(join(root, SUITE, name), 'utf8');
      return [...text.matchAll(DECLARATION)].map(([, id = '']) => ({ id, file: `${SUITE}/${name}` }));
    });
}

/** Whether a file has a test of this title. */
export function hasTest(root: string, file: string, title: string): boolean {
  let text: string;
  try {
    text = readFileSync(join(root, file), 'utf8');
  } catch {
    return false; // a file that is not there has no tests
  }
  const inQuotes = [`'${title.replaceAll("'", "\\'")}'`, `"${title}"`, `\`${title}\``];
  return inQuotes.some((literal) => text.includes(literal));
}
