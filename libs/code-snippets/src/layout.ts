/** Code with groups. A group is printed in one line if the line is short enough, and otherwise in several. */
export type Layout = string | Group | readonly Layout[];

export interface Group {
  readonly open: string;
  readonly items: readonly Layout[];
  readonly close: string;
  /** The text inside the brackets of a group in one line: `{ a }` has a space, `[a]` has none. */
  readonly padding: '' | ' ';
  /** Whether the last item of a group in several lines is followed by a comma. */
  readonly lastComma: boolean;
}

export interface Style {
  readonly width: number;
  readonly indent: string;
  /** Aligns the items of a group that is printed in several lines. Items that have several lines are left as they are. */
  readonly align?: (items: readonly string[]) => readonly string[];
}

/** Prints code. A group that does not fit into the width is divided, the outermost one first. */
export function print(layout: Layout, style: Style, level = 0): string {
  return written(layout, style, level, level * style.indent.length, 0);
}

/** Prints code in one line. */
export function flat(layout: Layout): string {
  if (typeof layout === 'string') return layout;
  if (isList(layout)) return layout.map(flat).join('');
  if (layout.items.length === 0) return layout.open + layout.close;
  return layout.open + layout.padding + layout.items.map(flat).join(', ') + layout.padding + layout.close;
}

/**
 * @param column the length of the line before this part
 * @param after the length of what follows this part in the same line
 */
function written(layout: Layout, style: Style, level: number, column: number, after: number): string {
  if (typeof layout === 'string') return layout;
  if (isList(layout)) return sequence(layout, style, level, column, after);
  const line = flat(layout);
  if (layout.items.length === 0 || column + line.length + after <= style.width) return line;
  const inner = (level + 1) * style.indent.length;
  const items = layout.items.map((item) => written(item, style, level + 1, inner, 1));
  const aligned = style.align?.(items) ?? items;
  const lines = aligned.map((item, index) => {
    const comma = layout.lastComma || index < items.length - 1 ? ',' : '';
    return `${style.indent.repeat(level + 1)}${item}${comma}\n`;
  });
  return `${layout.open}\n${lines.join('')}${style.indent.repeat(level)}${layout.close}`;
}

function sequence(
  parts: readonly Layout[],
  style: Style,
  level: number,
  column: number,
  after: number,
): string {
  let text = '';
  for (const [index, part] of parts.entries()) {
    const lastLine = text.slice(text.lastIndexOf('\n') + 1).length;
    const start = text.includes('\n') ? lastLine : column + lastLine;
    const rest = parts.slice(index + 1).reduce<number>((sum, each) => sum + flat(each).length, after);
    text += written(part, style, level, start, rest);
  }
  return text;
}

const isList = (layout: Layout): layout is readonly Layout[] => Array.isArray(layout);
