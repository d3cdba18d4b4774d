/** A column: its title, and the value of a row. Numbers are aligned to the right. */
export type OpsColumn<Row> = readonly [title: string, read: (row: Row) => string | number];

export interface OpsTable<Row> {
  readonly title: string;
  /** Paragraphs above the table. */
  readonly text: readonly string[];
  /** The text in place of a table without rows. */
  readonly empty: string;
  readonly columns: readonly OpsColumn<Row>[];
  readonly rows: readonly Row[];
  /** Terms and their meanings below the table. */
  readonly terms?: { readonly title: string; readonly meanings: Readonly<Record<string, string>> };
}

/** Returns a complete HTML page with one table. Escapes all texts. */
export function opsTablePage<Row>({ title, text, empty, columns, rows, terms }: OpsTable<Row>): string {
  const paragraphs = (rows.length === 0 ? [...text, empty] : text).map((one) => `<p>${escaped(one)}</p>`);
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)} · Understudy</title><style>${STYLE}</style></head>
<body>
<p><a href="/ops">Queues</a></p>
<h1>${escaped(title)}</h1>
${paragraphs.join('\n')}
${rows.length === 0 ? '' : tableOf(title, columns, rows)}
${terms ? `<h2>${escaped(terms.title)}</h2>\n<dl>${Object.entries(terms.meanings).map(termOf).join('')}</dl>` : ''}
</body>
</html>
`;
}

/** A large table scrolls below its head, and the page does not. The region takes the focus, so that keys scroll it. */
function tableOf<Row>(title: string, columns: readonly OpsColumn<Row>[], rows: readonly Row[]): string {
  const head = columns.map(([name]) => `<th scope="col">${escaped(name)}</th>`).join('');
  const lines = rows.map((row) => `<tr>${columns.map(([, read]) => cellOf(read(row))).join('')}</tr>`);
  return `<div role="region" aria-label="${escaped(title)}" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>
${lines.join('\n')}
</tbody></table></div>`;
}

function cellOf(value: string | number): string {
  return typeof value === 'number' ? `<td class="n">${value}</td>` : `<td>${escaped(value)}</td>`;
}

function termOf([term, meaning]: readonly [string, string]): string {
  return `<dt><code>${escaped(term)}</code></dt><dd>${escaped(meaning)}</dd>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

const STYLE =
  ':root{color-scheme:light dark}body{font:14px system-ui,sans-serif;margin:clamp(1rem,3vw,2rem)}' +
  'p{max-width:70ch}div{overflow:auto;max-height:85vh}table{border-collapse:collapse}' +
  'th,td{border:1px solid #8888;padding:.25rem .4rem;text-align:left;font-size:12px;white-space:nowrap}' +
  'th{position:sticky;top:0;background:canvas}' +
  '.n{text-align:right;font-variant-numeric:tabular-nums}dt{margin-top:.5rem}';
