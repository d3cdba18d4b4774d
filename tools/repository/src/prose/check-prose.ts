import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { TextlintKernel, type TextlintKernelOptions } from '@textlint/kernel';
import markdown from '@textlint/textlint-plugin-markdown';
import terminology from 'textlint-rule-terminology';

import { run } from '../check/programs.js';
import { NameRule, type ProseFault } from './names.js';
import { quotesOf, relativeLinks, sentenceLength, MAX_WORDS, wordsOf } from './rules.js';
import { lineComments, sourceTexts, type Prose, type TextKind } from './source-texts.js';
import { ALLOWED_NAMES, COINED, type AllowedName } from './terms.js';

/** The largest number of characters in a line of a page or comment, except table rows, code blocks and links. */
const MAX_LINE = 120;
/** The largest number of words in a table cell of README.md. */
const MAX_CELL_WORDS = 15;

/** Files that are not checked: docs/reference.md, licences, fixtures and generated files. */
const LEFT_OUT =
  /^docs\/reference\.md$|^LICENSE|\/(fixtures|goldens?)\/|^libs\/agent-protocol\/src\/generated\/|^clients\/.*\/_?[gG]enerated\/|package-lock\.json$/;

const SOURCE = /\.(ts|tsx|mts|mjs|cjs)$/;
const COMMENTED = /\.(proto|sh|ya?ml|conf)$|(^|\/)Dockerfile/;

export interface ProseReport {
  readonly faults: readonly ProseFault[];
  readonly files: number;
  readonly texts: number;
  /** Allowed names that do not occur in the files. */
  readonly unusedNames: readonly string[];
}

/** Checks the texts and names of the given files, or of all files that git tracks below `root`. */
export async function checkProse(
  root: string,
  files: readonly string[] = trackedFiles(root),
  allowed: readonly AllowedName[] = ALLOWED_NAMES,
): Promise<ProseReport> {
  const isQuoted = quotesOf(readFileSync(join(root, 'docs/reference.md'), 'utf8'));
  const lint = linter(root, isQuoted);
  const names = new NameRule(allowed);
  const faults: ProseFault[] = [];
  let texts = 0;
  for (const file of files.filter((each) => !LEFT_OUT.test(each))) {
    const source = readFileSync(join(root, file), 'utf8');
    const { texts: all, names: declared } = textsOf(file, source);
    const found = all.filter(({ kind, text }) => !SINGLE_LINE.has(kind) || !isQuoted(text));
    texts += found.length;
    faults.push(...names.faults(file, declared), ...found.flatMap((text) => formFaults(file, text)));
    if (!file.endsWith('.md')) faults.push(...found.flatMap((text) => namedPageFaults(root, file, text)));
    for (const message of await lint(file, found.filter(needsLinter))) faults.push({ file, ...message });
  }
  return { faults, files: files.length, texts, unusedNames: names.unusedExceptions() };
}

/**
 * Runs `checkProse` over the whole repository.
 *
 * @returns a summary
 * @throws Error that lists the faults and the allowed names that do not occur
 */
export async function proseHolds(
  root: string,
  allowed: readonly AllowedName[] = ALLOWED_NAMES,
): Promise<string> {
  const { faults, files, texts, unusedNames } = await checkProse(root, trackedFiles(root), allowed);
  const problems = [
    ...faults.map(describeFault),
    ...unusedNames.map((name) => `nothing is named ${name}: remove it from ALLOWED_NAMES`),
  ];
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return `${texts} texts of ${files} files`;
}

export function describeFault({ file, line, message }: ProseFault): string {
  return `${file}:${line}: ${message}`;
}

const isChecked = (file: string): boolean =>
  file.endsWith('.md') || SOURCE.test(file) || COMMENTED.test(file);

/** Lists the wanted files below `root` that git tracks, and untracked ones that git does not ignore. */
export function trackedFiles(root: string, isWanted: (file: string) => boolean = isChecked): string[] {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  return run('git', args, { cwd: root }).split('\0').filter(isWanted);
}

function textsOf(file: string, source: string): ReturnType<typeof sourceTexts> {
  if (file.endsWith('.md')) return { texts: [{ kind: 'page', line: 1, text: source }], names: [] };
  if (SOURCE.test(file)) return sourceTexts(file, source);
  return { texts: lineComments(source), names: [] };
}

type Lint = (file: string, texts: readonly Prose[]) => Promise<Omit<ProseFault, 'file'>[]>;

function linter(root: string, isQuoted: (text: string) => boolean): Lint {
  const kernel = new TextlintKernel();
  const coinedTerms = {
    ruleId: 'terminology',
    rule: terminology,
    options: { terms: COINED, defaultTerms: false },
  };
  const optionsOf = (file: string, text: string): TextlintKernelOptions => ({
    ext: '.md',
    plugins: [{ pluginId: 'markdown', plugin: markdown.default ?? markdown }],
    rules: [
      { ruleId: 'sentence-length', rule: sentenceLength(isQuoted) },
      ...(mayContainCoined(text) ? [coinedTerms] : []),
      ...(file.endsWith('.md') ? [{ ruleId: 'relative-links', rule: relativeLinks(root, file) }] : []),
    ],
  });
  return async (file, texts) => {
    if (texts.length === 0) return [];
    const { text, lineOf } = joined(texts);
    const { messages } = await kernel.lintText(text, optionsOf(file, text));
    return messages.map(({ line, message }) => ({ line: lineOf(line), message }));
  };
}

const COINED_ANYWHERE = new RegExp(
  `(?<![a-z])(${COINED.map(([pattern]) => pattern).join('|')})(?![a-z])`,
  'i',
);

/** Markup hides no words, except as character references. */
function mayContainCoined(text: string): boolean {
  return text.includes('&') || COINED_ANYWHERE.test(text);
}

/**
 * Checks whether the linter could find a fault in a text, because the linter uses most of the time of this check.
 * A text has no fault if it contains no coined term and has few words between two empty lines. Pages have links,
 * which the linter checks, too.
 */
function needsLinter({ kind, text }: Prose): boolean {
  return (
    kind === 'page' ||
    mayContainCoined(text) ||
    text.split(/\n\s*\n/).some((block) => wordsOf(block) > MAX_WORDS)
  );
}

/** Joins the texts of a file to one Markdown document, so that the linter runs only once for each file. */
function joined(texts: readonly Prose[]): { text: string; lineOf: (line: number) => number } {
  const lines: string[] = [];
  const origins: number[] = [];
  for (const { text, line } of texts)
    for (const [index, each] of [...text.split('\n'), '', '<!-- -->', ''].entries()) {
      lines.push(each);
      origins.push(line + index);
    }
  return { text: lines.join('\n'), lineOf: (line) => origins[line - 1] ?? 1 };
}

const FORBIDDEN_OPENING = /^\s*(Of|By|As|What)\b/;
const SINGLE_LINE: ReadonlySet<TextKind> = new Set(['message', 'test title']);

/** Returns the faults that need no parser: forbidden first words of doc comments, long lines and long cells. */
function formFaults(file: string, { kind, line, text }: Prose): ProseFault[] {
  const faults: ProseFault[] = [];
  const add = (index: number, message: string): void => {
    faults.push({ file, line: line + index, message });
  };
  const opening = FORBIDDEN_OPENING.exec(text);
  if (kind === 'doc comment' && opening)
    add(0, `a doc comment opens with "${opening[1] ?? ''}": begin with a verb or a noun`);
  if (SINGLE_LINE.has(kind)) return faults;
  let isCode = false;
  for (const [index, each] of text.split('\n').entries()) {
    if (/^\s*(```|~~~)/.test(each)) isCode = !isCode;
    else if (isCode) continue;
    else if (/^\s*\|/.test(each)) faults.push(...cellFaults(file, line + index, each));
    else if (each.length > MAX_LINE && !/https?:\/\/\S{40}|\]\([^)]{40}/.test(each))
      add(index, `a line of ${each.length} characters; at most ${MAX_LINE}`);
  }
  return faults;
}

/** Reports each path of a Markdown page below docs/ that a text contains, if the page does not exist. */
function namedPageFaults(root: string, file: string, { line, text }: Prose): ProseFault[] {
  return text
    .split('\n')
    .flatMap((each, index) =>
      [...each.matchAll(/\bdocs\/[\w/-]+\.md\b/g)]
        .filter(([page]) => !existsSync(join(root, page)))
        .map(([page]) => ({ file, line: line + index, message: `there is no page ${page}` })),
    );
}

function cellFaults(file: string, line: number, row: string): ProseFault[] {
  if (file !== 'README.md') return [];
  return row
    .split('|')
    .map((cell) => cell.split(/\s+/).filter((word) => /\w/.test(word)).length)
    .filter((words) => words > MAX_CELL_WORDS)
    .map((words) => ({
      file,
      line,
      message: `a table cell of ${words} words; at most ${MAX_CELL_WORDS}: write a list or a section`,
    }));
}
