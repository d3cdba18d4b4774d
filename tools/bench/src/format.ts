import type { Summary } from './summary.js';

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

/** Formats a summary of whole numbers: the median, then the minimum and the maximum in brackets. */
export function formatCounts({ median, min, max }: Summary): string {
  return `${formatRounded(median)} (${formatRounded(min)}–${formatRounded(max)})`;
}

/**
 * Formats a summary with the given number of decimals.
 * @param unit printed after the median; begins with a space
 */
export function formatFixed({ median, min, max }: Summary, digits: number, unit = ''): string {
  return `${median.toFixed(digits)}${unit} (${min.toFixed(digits)}–${max.toFixed(digits)})`;
}
