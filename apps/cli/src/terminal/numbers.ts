/** Returns `1,234,567`. */
export function formatNumber(value: number): string {
  return value.toLocaleString('en');
}

/** Returns `1 row`, `59 rows`, `3 masked columns that differ` for `masked column that differs`. */
export function count(number: number, noun: string): string {
  if (number === 1) return `1 ${noun}`;
  const [first = '', ...rest] = noun.split(' that ');
  return [`${formatNumber(number)} ${first}s`, ...rest.map((words) => words.replace(/s$/, ''))].join(
    ' that ',
  );
}

/** Returns `12.3 MB`, or kilobytes below 0.1 MB and gigabytes from 1 GB on. */
export function formatBytes(bytes: number): string {
  if (bytes < 1e5) return `${Math.ceil(bytes / 1e3)} kB`;
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(2)} GB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** Returns a share as whole percent, at most 100. */
export function percent(share: number): number {
  return Math.floor(Math.min(1, share) * 100);
}
