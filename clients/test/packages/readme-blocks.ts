/** A code block of a README. clients/DESIGN.md describes the forms. */
export interface ReadmeBlock {
  readonly kind: 'command' | 'server' | 'program' | 'file';
  readonly text: string;
  /** The name of the file for a program or a file, otherwise empty. */
  readonly name: string;
  /** Number of the block's first line in the README, from 1. */
  readonly line: number;
}

const FENCE = /^```(\S*)(?: (\S+))?\n([^]*?)^```$/gm;
const PROGRAMS: Readonly<Record<string, string>> = {
  ts: 'ts',
  js: 'mjs',
  python: 'py',
  php: 'php',
  go: 'go',
};
/** Languages of blocks that nobody runs. */
const SHOWN_ONLY = new Set(['text', 'json', 'http']);

/**
 * Returns the code blocks of a README in order.
 * @throws Error for a block in another language, because no test would run it
 */
export function readmeBlocks(page: string): readonly ReadmeBlock[] {
  return [...page.matchAll(FENCE)].flatMap((fence): ReadmeBlock[] => {
    const [, language = '', word, text = ''] = fence;
    const line = page.slice(0, fence.index).split('\n').length;
    const ending = PROGRAMS[language];
    if (language === 'sh') return [{ kind: word === 'server' ? 'server' : 'command', text, name: '', line }];
    if (word !== undefined) return [{ kind: 'file', name: word, text, line }];
    if (ending !== undefined) return [{ kind: 'program', name: `line-${line}.${ending}`, text, line }];
    if (SHOWN_ONLY.has(language)) return [];
    throw new Error(
      `line ${line}: expected a block in sh, text, json or a client's language, got "${language}"`,
    );
  });
}
