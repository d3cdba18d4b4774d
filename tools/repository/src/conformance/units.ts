import { parsers } from 'prettier/plugins/markdown';

/**
 * One statement of the reference: a sentence of a paragraph or list item, a row of a table except its header,
 * or a whole code block. Headings are not units. The text is the unchanged Markdown source.
 */
export interface Unit {
  /**
   * The section, and the number of the unit in this section, for example `4.2/3`. The introduction of the
   * document is section 0.
   */
  readonly id: string;
  readonly text: string;
}

interface MarkdownNode {
  readonly type: string;
  readonly depth?: number;
  readonly children?: readonly MarkdownNode[];
  readonly position: {
    readonly start: { readonly offset: number };
    readonly end: { readonly offset: number };
  };
}

/**
 * Divides a Markdown text into units, in the order of the text.
 * @throws Error for an unknown kind of block
 */
export async function unitsOf(markdown: string): Promise<readonly Unit[]> {
  const parse = parsers.markdown.parse as (text: string, options: object) => unknown;
  const root = (await parse(markdown, {})) as MarkdownNode;
  const source = (node: MarkdownNode): string =>
    markdown.slice(node.position.start.offset, node.position.end.offset);
  const units: Unit[] = [];
  let section = '0';
  let number = 0;
  const add = (text: string): void => void units.push({ id: `${section}/${(number += 1)}`, text });
  const visit = (node: MarkdownNode): void => {
    switch (node.type) {
      case 'heading':
        section = sectionOf(source(node), section);
        number = 0;
        return;
      case 'paragraph':
        return sentencesOf(source(node)).forEach(add);
      case 'table':
        return node.children?.slice(1).forEach((row) => add(source(row).trim()));
      case 'code':
        return add(source(node));
      case 'root':
      case 'list':
      case 'listItem':
        return node.children?.forEach(visit);
      default:
        throw new Error(`no unit is defined for a block of type ${node.type}: ${source(node).slice(0, 60)}`);
    }
  };
  visit(root);
  return units;
}

/**
 * Returns the section of a heading: `4.2` for "### 4.2 Generation". A heading without a number gets the number of the
 * section around it and its own title: `2.9 list generator`.
 */
function sectionOf(heading: string, current: string): string {
  const title = heading.replace(/^#+\s*/, '');
  if (heading.startsWith('# ')) return '0';
  const numbered = /^\d+(\.\d+)*/.exec(title)?.[0];
  const parent = current.split(' ')[0] ?? '';
  return numbered ?? `${parent} ${title.replace(/\s*\(.*$/, '').toLowerCase()}`;
}

/** The end of a sentence. A full stop in code or after "e.g" does not end a sentence. */
const SENTENCE_END = /(?<!\be\.g)[.?!]\)?\s+(?=[A-Z(*])/g;

function sentencesOf(paragraph: string): readonly string[] {
  const codeless = paragraph.replace(/`[^`]*`/g, (code) => 'X'.repeat(code.length));
  const sentences: string[] = [];
  let start = 0;
  for (const { index, 0: end } of codeless.matchAll(SENTENCE_END)) {
    sentences.push(paragraph.slice(start, index + end.trimEnd().length));
    start = index + end.length;
  }
  sentences.push(paragraph.slice(start));
  return sentences.map((sentence) => sentence.replace(/\s+/g, ' ').trim());
}
