import { ChartLine, Table2 } from 'lucide-react';
import { useState } from 'react';

import { Button } from '../controls/button.js';
import { lazyPart } from '../feedback/lazy-part.js';
import { TEXTS } from '../texts.js';
import { formatLocal } from '../text/format.js';
import { CHART_HEIGHT, type ChartProps, SERIES_TONES } from './chart-props.js';
import { Table } from './table.js';

const Canvas = lazyPart(async () => (await import('./chart-canvas.js')).ChartCanvas, { lines: 4 });

/** Figures over time, drawn or as a table. The library that draws is loaded with the first chart. */
export function Chart(props: ChartProps) {
  const { label, summary } = props;
  const [asTable, setAsTable] = useState(false);
  return (
    <figure className="flex min-w-0 flex-col gap-2">
      <figcaption className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <span className="text-sm font-medium text-ink">{label}</span>
          {props.series.length > 1 && <Legend series={props.series} />}
        </span>
        <Button
          kind="quiet"
          size="small"
          icon={asTable ? <ChartLine aria-hidden /> : <Table2 aria-hidden />}
          onClick={() => setAsTable(!asTable)}
        >
          {asTable ? TEXTS.showChart : TEXTS.showTable}
        </Button>
      </figcaption>
      <p className="sr-only">{summary}</p>
      {asTable ? (
        <FigureTable {...props} />
      ) : (
        <div style={{ minHeight: CHART_HEIGHT }}>
          <Canvas {...props} />
        </div>
      )}
    </figure>
  );
}

function Legend({ series }: Pick<ChartProps, 'series'>) {
  return series.map(({ label }, index) => (
    <span key={label} className="flex items-center gap-1.5 text-xs text-muted">
      <span aria-hidden className={`h-0.5 w-3 ${SWATCHES[SERIES_TONES[index % 5] ?? 'accent']}`} />
      {label}
    </span>
  ));
}

const SWATCHES = {
  accent: 'bg-accent',
  info: 'bg-info',
  success: 'bg-success',
  warning: 'bg-warning-solid',
  danger: 'bg-danger',
} as const;

function FigureTable({ label, times, series, format }: ChartProps) {
  return (
    <Table
      caption={label}
      columns={[
        {
          id: 'time',
          header: TEXTS.time,
          cell: (place: number) => formatLocal(new Date(times[place] ?? 0)),
        },
        ...series.map((line, index) => ({
          id: String(index),
          header: line.label,
          align: 'end' as const,
          cell: (place: number) => {
            const value = line.values[place];
            return value === null || value === undefined ? '–' : format(value);
          },
        })),
      ]}
      rows={[...times.keys()]}
      rowKey={String}
      virtual={times.length > 100}
    />
  );
}
