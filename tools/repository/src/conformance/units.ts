import { parse } from '@textlint/markdown-to-ast';

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

type Markdown = ReturnType<typeof parse>;
type MarkdownNode = Markdown | Markdown['children'][number];

/**
 * Divides a Markdown text into units, in the order of the text.
 * @throws Error for an unknown kind of block
 */
export function unitsOf(markdown: string): readonly Unit[] {
  const source = ({ range: [start, end] }: Pick<MarkdownNode, 'range'>): string => markdown.slice(start, end);
  const units: Unit[] = [];
  let section = '0';
  let number = 0;
  const add = (text: string): void => void units.push({ id: `${section}/${(number += 1)}`, text });
  const visit = (node: MarkdownNode): void => {
    switch (node.type) {
      case 'Header':
        section = sectionOf(source(node), section);
        number = 0;
        return;
      case 'Paragraph':
        return sentencesOf(source(node)).forEach(add);
      case 'Table':
        return node.children.slice(1).forEach((row) => add(source(row).trim()));
      case 'CodeBlock':
        return add(source(node));
      case 'Document':
      case 'List':
      case 'ListItem':
        return node.children.forEach(visit);
      default:
        throw new Error(`no unit is defined for a block of type ${node.type}: ${source(node).slice(0, 60)}`);
    }
  };
  visit(parse(markdown));
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
