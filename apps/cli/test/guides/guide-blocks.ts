export type GuideBlock =
  | {
      readonly kind: 'command' | 'server';
      readonly text: string;
      readonly output: ExpectedOutput | undefined;
    }
  | { readonly kind: 'file'; readonly name: string; readonly text: string };

/** The block after a command, which shows the command's output. `…` matches any text or JSON value. */
export interface ExpectedOutput {
  readonly format: 'json' | 'text';
  readonly text: string;
}

const FENCE = /^( *)```(\S*)(?: (\S+))?\n([^]*?)^ *```$/gm;
/** The languages of blocks that contain no command. */
const SHOWN_ONLY = new Set([
  'js',
  'ts',
  'python',
  'php',
  'go',
  'http',
  'yaml',
  'jsonc',
  'sql',
  'json',
  'text',
]);

/**
 * Returns the blocks of a page in order. A block `sh` is a command. A block `sh server` is a command that
 * runs until the last block of the page has finished. A block with a file name, such as `yaml policy.yaml`,
 * is a file that the reader saves.
 * @throws Error for a block without a language, because it could contain a command that no test runs
 */
export function guideBlocks(page: string): readonly GuideBlock[] {
  const blocks: GuideBlock[] = [];
  const fences = [...page.matchAll(FENCE)];
  for (const [index, fence] of fences.entries()) {
    const [, indent = '', language = '', word, body = ''] = fence;
    const text = body.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
    if (language === 'sh') {
      const output = outputOf(page, fence, fences[index + 1]);
      blocks.push({ kind: word === 'server' ? 'server' : 'command', text, output });
    } else if (word !== undefined) blocks.push({ kind: 'file', name: word, text });
    else if (!SHOWN_ONLY.has(language))
      throw new Error(
        `expected a language after \`\`\`, got "${language}" before ${text.split('\n', 1)[0] ?? ''}`,
      );
  }
  return blocks;
}

/** Returns the output of a command: a JSON or text block that follows it, with only blank lines between them. */
function outputOf(
  page: string,
  command: RegExpExecArray,
  next: RegExpExecArray | undefined,
): ExpectedOutput | undefined {
  const [, indent = '', language, word, body = ''] = next ?? [];
  if (!next || word !== undefined || (language !== 'json' && language !== 'text')) return undefined;
  if (page.slice(command.index + command[0].length, next.index).trim() !== '') return undefined;
  return { format: language, text: body.replaceAll(new RegExp(`^${indent}`, 'gm'), '') };
}

/**
 * Expects that a command printed the output on the page, in which `…` matches any text. A page has no spaces at line
 * ends.
 */
export function expectOutput(command: string, printed: string, { format, text }: ExpectedOutput): void {
  if (format === 'json')
    expect([command, JSON.parse(printed)]).toEqual([command, withGaps(JSON.parse(text))]);
  else
    expect(`${command}\n${printed.replaceAll('\r', '').replaceAll(/ +$/gm, '').trim()}`).toMatch(
      textPattern(`${command}\n${text.trim()}`),
    );
}

/**
 * Converts expected JSON to a matcher. An expected array whose last element is `"…"` matches any array that
 * contains its other elements.
 */
function withGaps(expected: unknown): unknown {
  if (expected === '…') return expect.anything();
  if (Array.isArray(expected)) {
    const shown = expected.at(-1) === '…' ? expected.slice(0, -1) : expected;
    const elements = shown.map(withGaps);
    return shown === expected ? elements : expect.arrayContaining(elements);
  }
  if (typeof expected === 'string' && expected.includes('…'))
    return expect.stringMatching(textPattern(expected));
  if (typeof expected !== 'object' || expected === null) return expected;
  const { '…': more, ...shown } = expected as Record<string, unknown>;
  const fields = Object.fromEntries(Object.entries(shown).map(([key, value]) => [key, withGaps(value)]));
  return more === undefined ? fields : expect.objectContaining(fields);
}

function textPattern(text: string): RegExp {
  const parts = text.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('[^]*?')}$`);
}
