/** Formats a number with commas, such as `1,234,567`. */
export function formatNumber(value: number): string {
  return value.toLocaleString('en');
}

/**
 * Returns a number with its noun in the singular or plural, such as `1 row` and `59 rows`. The plural of a
 * noun with ` that ` also changes the verb: `1 masked column that differs`, `3 masked columns that differ`.
 */
export function count(number: number, noun: string): string {
  if (number === 1) return `1 ${noun}`;
  const [first = '', ...rest] = noun.split(' that ');
  return [`${formatNumber(number)} ${first}s`, ...rest.map((words) => words.replace(/s$/, ''))].join(
    ' that ',
  );
}

/** Formats a size as kilobytes below 0.1 MB, as gigabytes from 1 GB, and otherwise as megabytes. */
export function formatBytes(bytes: number): string {
  if (bytes < 1e5) return `${Math.ceil(bytes / 1e3)} kB`;
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(2)} GB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** Returns a share from 0 to 1 as whole percent, rounded down. A larger share counts as 1. */
export function percent(share: number): number {
  return Math.floor(Math.min(1, share) * 100);
}
