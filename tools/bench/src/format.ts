import type { Spread } from './spread.js';

/** Formats a value as a whole number with commas. */
export function formatRounded(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** Formats milliseconds as seconds. */
export function formatSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

export function formatMebibytes(bytes: number | null, digits: number): string {
  return bytes === null ? 'unknown' : `${(bytes / 2 ** 20).toFixed(digits)} MiB`;
}

/** Formats a spread of whole numbers: the median, then the lowest and the highest in brackets. */
export function formatCounts({ median, min, max }: Spread): string {
  return `${formatRounded(median)} (${formatRounded(min)}–${formatRounded(max)})`;
}

/** Formats a spread with so many decimals. @param unit of the median, with a space before it */
export function formatFixed({ median, min, max }: Spread, digits: number, unit = ''): string {
  return `${median.toFixed(digits)}${unit} (${min.toFixed(digits)}–${max.toFixed(digits)})`;
}
