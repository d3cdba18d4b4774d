/** Builds a Markdown table. Cells are Markdown; bars are escaped, and line ends become spaces. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Formats a text as inline code. */
export function code(text: string): string {
  const fence = text.includes('`') ? '``' : '`';
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${text}${pad}${fence}`;
}

export function block(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

/** Builds a block with the JSON of a value on one line. The formatter wraps long lines later. */
export function json(value: unknown): string {
  return block('json', JSON.stringify(value));
}

const LONGEST_LINE = 100;

/**
 * Builds a block of values. All values are on one line if this line is short enough.
 * @param values one value per line
 */
export function valuesBlock(values: string): string {
  const joined = values.replaceAll('\n', '   ');
  return block('text', joined.length <= LONGEST_LINE ? joined : values);
}

/** Returns the anchor that GitHub gives to a heading. */
export function anchor(heading: string): string {
  return `#${heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')}`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
