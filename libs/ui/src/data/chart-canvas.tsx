import { useEffect, useRef } from 'react';
import uPlot from 'uplot';

import { CHART_HEIGHT, type ChartProps, SERIES_TONES } from './chart-props.js';

/** The drawing of a chart. It follows the width of its box and the theme. */
export function ChartCanvas({ times, series, kind, format }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const shape = series.map(({ label }) => label).join();
  const latest = useRef({ series, format });
  useEffect(() => {
    latest.current = { series, format };
  });
  useEffect(() => {
    const host = box.current;
    if (host === null) return;
    const { series: lines } = latest.current;
    const drawn = new uPlot(
      {
        width: host.clientWidth,
        height: CHART_HEIGHT,
        legend: { show: false },
        cursor: { y: false, points: { size: 7 } },
        series: [{}, ...lines.map((_, index) => seriesOptions(host, index, kind ?? 'lines'))],
        axes: [
          { ...axisOptions(host, 28), space: 72, values: timeLabels },
          { ...axisOptions(host, 64), values: (_, ticks) => ticks.map(latest.current.format) },
        ],
        scales: {
          x: { range: (_, min, max) => timeRange(min, max, times.length, kind) },
          y: { range: (_, __, max) => [0, max > 0 ? max * 1.08 : 1] },
        },
      },
      plotData(times, lines),
      host,
    );
    plot.current = drawn;
    const resized = new ResizeObserver(() =>
      drawn.setSize({ width: host.clientWidth, height: CHART_HEIGHT }),
    );
    resized.observe(host);
    const repaint = () => drawn.redraw(false, true);
    const themed = new MutationObserver(repaint);
    themed.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    const system = window.matchMedia('(prefers-color-scheme: dark)');
    system.addEventListener('change', repaint);
    return () => {
      resized.disconnect();
      themed.disconnect();
      system.removeEventListener('change', repaint);
      drawn.destroy();
    };
    // The data are set by the effect below, without a new drawing.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [shape, kind]);
  useEffect(() => {
    plot.current?.setData(plotData(times, series));
  }, [times, series]);
  return <div ref={box} aria-hidden className="min-w-0" />;
}

function seriesOptions(host: HTMLElement, index: number, kind: 'lines' | 'bars'): uPlot.Series {
  const tone = SERIES_TONES[index % SERIES_TONES.length] ?? 'accent';
  const stroke = () => colour(host, tone === 'warning' ? 'warning-solid' : tone);
  if (kind === 'lines') return { stroke, width: 1.5, points: { show: false } };
  const paths = uPlot.paths.bars?.({ size: [0.6, 28], radius: 0.15 });
  return {
    stroke,
    fill: stroke,
    width: 0,
    points: { show: false },
    ...(paths === undefined ? {} : { paths }),
  };
}

function axisOptions(host: HTMLElement, size: number): uPlot.Axis {
  return {
    size,
    stroke: () => colour(host, 'muted'),
    font: '12px "Inter Variable", sans-serif',
    grid: { stroke: () => colour(host, 'line'), width: 1 },
    ticks: { show: false },
  };
}

/** Leaves room for the first and the last bar. */
function timeRange(min: number, max: number, count: number, kind: ChartProps['kind']): [number, number] {
  const half = kind === 'bars' ? (max - min) / Math.max(1, count - 1) / 2 : 0;
  return [min - half, max + half];
}

/** Labels of the time axis: days, or times of day if the lines of the grid are less than a day apart. */
function timeLabels(_: uPlot, ticks: number[], __: number, ___: number, step: number): string[] {
  const format = step >= 86_400 ? DAY : step >= 60 ? MINUTE : SECOND;
  return ticks.map((tick) => format.format(tick * 1000));
}

const DAY = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });
const MINUTE = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const SECOND = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

/** uPlot takes seconds. */
function plotData(times: readonly number[], series: ChartProps['series']): uPlot.AlignedData {
  return [times.map((time) => time / 1000), ...series.map(({ values }) => [...values])];
}

/** Reads a colour of the present theme through a real property, because the variable itself is unresolved. */
function colour(host: HTMLElement, name: string): string {
  host.style.color = `var(--color-${name})`;
  return getComputedStyle(host).color;
}
