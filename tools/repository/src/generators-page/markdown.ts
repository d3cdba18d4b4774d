/** A table; cells are Markdown on one line. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Code in a line. */
export function code(text: string): string {
  const fence = text.includes('`') ? '``' : '`';
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${text}${pad}${fence}`;
}

export function block(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

/** On one line: the formatter breaks what does not fit. */
export function json(value: unknown): string {
  return block('json', JSON.stringify(value));
}

const LONGEST_LINE = 100;

/** Values that stand one a line: on one line where that is short. */
export function valuesBlock(values: string): string {
  const joined = values.replaceAll('\n', '   ');
  return block('text', joined.length <= LONGEST_LINE ? joined : values);
}

/** The anchor of a heading, as GitHub makes it. */
export function anchor(heading: string): string {
  return `#${heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')}`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
