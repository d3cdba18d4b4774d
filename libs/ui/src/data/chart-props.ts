export interface ChartSeries {
  readonly label: string;
  /** One figure for each time, or null where there is none. */
  readonly values: readonly (number | null)[];
}

export interface ChartProps {
  /** The subject, for example "Rows per second". */
  readonly label: string;
  /** One sentence that states the main fact of the chart, for readers who do not see it. */
  readonly summary: string;
  /** Times in milliseconds since 1970, ascending. */
  readonly times: readonly number[];
  readonly series: readonly ChartSeries[];
  /** Writes a figure with its unit, for the axis and the table. */
  readonly format: (value: number) => string;
  /** `bars` for counts of a day, `lines` for measurements. */
  readonly kind?: 'lines' | 'bars' | undefined;
}

/** The tones of the series in order, so that two of them differ. */
export const SERIES_TONES = ['accent', 'warning', 'info', 'success', 'danger'] as const;

/** The height of a chart in pixels. */
export const CHART_HEIGHT = 180;
