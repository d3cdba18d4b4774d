import { parse } from '@textlint/markdown-to-ast';

/**
 * One statement of the reference: a sentence of a paragraph or list item, a row of a table except its header,
 * or a whole code block. Headings are not units. The text is the unchanged Markdown source.
 */
export interface Unit {
  /** The number of the section and the number of the unit in this section, for example `4.2/3`. */
  readonly id: string;
  /** The number and title of the section. The text before the first section belongs to `0 Introduction`. */
  readonly section: string;
  readonly text: string;
}

type Markdown = ReturnType<typeof parse>;
type MarkdownNode = Markdown | Markdown['children'][number];

/** The number of a heading, if it has one, and its title without an addition in parentheses. */
const HEADING = /^#+ (?:(\d+(?:\.\d+)*)\.? )?(.*?)(?: \(.*)?$/;

/**
 * Divides a Markdown text into units, in the order of the text. Headings without a number are numbered below the
 * section around them: the second one in section 2.9 is `2.9.2`.
 * @throws Error for an unknown kind of block
 */
export function unitsOf(markdown: string): readonly Unit[] {
  const source = ({ range: [start, end] }: Pick<MarkdownNode, 'range'>): string => markdown.slice(start, end);
  const units: Unit[] = [];
  let around = '0';
  let unnumbered = 0;
  let section = { number: around, title: 'Introduction', units: 0 };
  const add = (text: string): void => {
    const { number, title } = section;
    units.push({ id: `${number}/${(section.units += 1)}`, section: `${number} ${title}`, text });
  };
  const open = (heading: string): void => {
    const [, number, title = ''] = HEADING.exec(heading) ?? [];
    unnumbered = number === undefined ? unnumbered + 1 : 0;
    around = number ?? around;
    section = { number: number ?? `${around}.${unnumbered}`, title, units: 0 };
  };
  const visit = (node: MarkdownNode): void => {
    switch (node.type) {
      case 'Header':
        return node.depth === 1 ? undefined : open(source(node));
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
