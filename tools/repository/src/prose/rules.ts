import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { TextlintRuleModule } from '@textlint/types';
import GithubSlugger from 'github-slugger';
import { split, SentenceSplitterSyntax } from 'sentence-splitter';
import { StringSource } from 'textlint-util-to-string';

/** The largest number of words in a sentence. */
export const MAX_WORDS = 30;

/**
 * Reports sentences with more than `MAX_WORDS` words. Inline code is one word. A sentence that the API reference
 * contains word by word is quoted, so it is allowed.
 */
export function sentenceLength(isQuoted: (text: string) => boolean): TextlintRuleModule {
  return ({ Syntax, report, RuleError }) => {
    const check = (node: Parameters<typeof report>[0]): void => {
      const texts = linesOf(node as ParentNode).map(plainText);
      const sentences = texts.filter((text) => wordsOf(text) > MAX_WORDS).flatMap((text) => split(text));
      for (const sentence of sentences.filter(({ type }) => type === SentenceSplitterSyntax.Sentence)) {
        const words = wordsOf(sentence.raw);
        if (words <= MAX_WORDS || isQuoted(sentence.raw)) continue;
        report(
          node,
          new RuleError(`a sentence of ${words} words; at most ${MAX_WORDS}: ${start(sentence.raw)}`),
        );
      }
    };
    return { [Syntax.Paragraph]: check, [Syntax.Header]: check, [Syntax.TableCell]: check };
  };
}

/** Counts the words of a text. Dashes and slashes divide words. */
export function wordsOf(text: string): number {
  return text.split(/[\s—–→/]+/).filter((word) => /\w/.test(word)).length;
}

type ParentNode = ConstructorParameters<typeof StringSource>[0];

/** Divides the content of a table cell at each `<br>`, because `<br>` ends a sentence. */
function linesOf(node: ParentNode): ParentNode[] {
  const lines: ParentNode['children'][] = [[]];
  for (const child of node.children)
    if (child.type === 'Html') lines.push([]);
    else lines.at(-1)?.push(child);
  return lines.map((children) => ({ ...node, children }));
}

function plainText(node: ParentNode): string {
  return new StringSource(node, {
    replacer: ({ node: part, maskValue }) => (part.type === 'Code' ? maskValue('c') : undefined),
  }).toString();
}

/**
 * Returns a function that tests whether the reference contains a text word by word. Markup and the content of
 * inline code are not compared.
 */
export function quotesOf(reference: string): (text: string) => boolean {
  const plain = (text: string): string =>
    text
      .replace(/`([^`\n]+)`/g, (_, inner: string) => 'c'.repeat(inner.length))
      .replace(/[`*_\\|·\s]+/g, ' ')
      .trim();
  const quoted = plain(reference);
  return (text) => quoted.includes(plain(text));
}

function start(sentence: string): string {
  return sentence.split(/\s+/).slice(0, 8).join(' ') + ' …';
}

/** Reports each relative link of a page if the linked file, or the linked heading in it, does not exist. */
export function relativeLinks(root: string, file: string): TextlintRuleModule {
  return ({ Syntax, report, RuleError }) => ({
    [Syntax.Link](node) {
      const url = (node as unknown as { readonly url: string }).url;
      if (/^[a-z]+:/.test(url)) return;
      const [path = '', heading = ''] = url.split('#');
      const target = path === '' ? join(root, file) : join(root, dirname(file), path);
      if (!existsSync(target)) report(node, new RuleError(`the link ${url} leads to no file`));
      else if (heading !== '' && statSync(target).isFile() && !headingsOf(target).has(heading))
        report(node, new RuleError(`the link ${url} leads to no heading of that file`));
    },
  });
}

/** Returns the anchors of a page as GitHub makes them. */
function headingsOf(page: string): ReadonlySet<string> {
  const slugger = new GithubSlugger();
  const text = readFileSync(page, 'utf8').replace(/^ *(```|~~~)[^]*?^ *\1/gm, '');
  const headings = [...text.matchAll(/^#{1,6} +(.+?) *#*$/gm)];
  return new Set(
    headings.map(([, title = '']) =>
      slugger.slug(title.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '')),
    ),
  );
}
