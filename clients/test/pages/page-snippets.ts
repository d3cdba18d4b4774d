import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The languages of docs/reference/api.md, by the info string of their code blocks. */
export type Fence = 'sh' | 'ts' | 'python' | 'php' | 'go';

export interface PageSnippets {
  /** The code block of each language that creates the client. */
  readonly setup: ReadonlyMap<Fence, string>;
  /** The code blocks of each operation by the operation's id. */
  readonly calls: ReadonlyMap<string, ReadonlyMap<Fence, string>>;
}

/** Reads the code blocks of docs/reference/api.md. The heading of an operation is its id as code. */
export function pageSnippets(root: string): PageSnippets {
  const page = readFileSync(join(root, 'docs/reference/api.md'), 'utf8');
  const [, introduction = ''] = page.split('\n## Call an operation\n');
  const [setup = '', ...sections] = introduction.split(/\n### `(?=\w+`\n)/);
  const calls = sections.map(
    (section) => [section.slice(0, section.indexOf('`')), blocksOf(section)] as const,
  );
  return { setup: blocksOf(setup), calls: new Map(calls) };
}

/**
 * Returns the code blocks of a section by their language.
 * @throws Error if a language has several blocks
 */
export function blocksOf(section: string): ReadonlyMap<Fence, string> {
  const found = new Map<Fence, string>();
  for (const [, fence, code = ''] of section.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)) {
    if (found.has(fence as Fence))
      throw new Error(`expected one block of "${String(fence)}", got a second: ${code}`);
    found.set(fence as Fence, code);
  }
  return found;
}
