import { Table, type TableColumn } from '@understudy/ui';
import { useMemo } from 'react';

import { TEXTS } from '../texts.js';

export interface RecordsTableProps {
  readonly columns: readonly string[];
  /** The JSON text of each value. */
  readonly rows: readonly (readonly string[])[];
}

interface Row {
  readonly index: number;
  readonly cells: readonly string[];
}

/** Records as a table, in which texts have no quotation marks and nested values are JSON. */
export function RecordsTable({ columns, rows }: RecordsTableProps) {
  const names = columns.join('\n');
  const tableColumns = useMemo(() => names.split('\n').map((name, index) => columnOf(name, index)), [names]);
  const tableRows = useMemo(() => rows.map((cells, index) => ({ index, cells })), [rows]);
  return (
    <Table
      caption={TEXTS.records}
      columns={tableColumns}
      rows={tableRows}
      rowKey={({ index }) => String(index)}
      narrow="scroll"
      virtual={rows.length > 100}
    />
  );
}

function columnOf(name: string, index: number): TableColumn<Row> {
  return { id: String(index), header: name, cell: ({ cells }) => <Value json={cells[index] ?? ''} /> };
}

function Value({ json }: { readonly json: string }) {
  if (json === 'null') return <span className="text-faint italic">{TEXTS.null}</span>;
  if (json.startsWith('"'))
    return (
      <span dir="auto" className="wrap-anywhere">
        {JSON.parse(json) as string}
      </span>
    );
  return <span className="font-mono text-sm wrap-anywhere tabular-nums">{json}</span>;
}
