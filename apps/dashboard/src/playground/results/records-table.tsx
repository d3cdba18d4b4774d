import { ValueGrid } from '@understudy/ui';

import { TEXTS } from '../texts.js';

export interface RecordsTableProps {
  readonly columns: readonly string[];
  /** The JSON text of each value. */
  readonly rows: readonly (readonly string[])[];
}

/** Records as a table, in which texts have no quotation marks and nested values are JSON. */
export function RecordsTable({ columns, rows }: RecordsTableProps) {
  const valueColumns = columns.map((name, index) => ({
    id: `${index}`,
    header: name,
    cell: (cells: Cells) => <Value json={cells[index] ?? ''} />,
    text: (cells: Cells) => textOf(cells[index] ?? ''),
  }));
  return <ValueGrid caption={TEXTS.records} columns={valueColumns} rows={rows} />;
}

type Cells = RecordsTableProps['rows'][number];

/** Returns a JSON text without the quotation marks of a string. */
function textOf(json: string): string {
  return json.startsWith('"') ? (JSON.parse(json) as string) : json;
}

function Value({ json }: { readonly json: string }) {
  if (json === 'null') return <span className="text-faint italic">{TEXTS.null}</span>;
  if (json.startsWith('"')) return <span dir="auto">{textOf(json)}</span>;
  return <span className="font-mono tabular-nums">{json}</span>;
}
