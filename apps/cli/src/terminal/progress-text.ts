import { formatBytes, formatNumber, percent } from './numbers.js';

export interface ProgressFacts {
  readonly done: number;
  /** Absent if it is not known. */
  readonly total?: number | undefined;
  /** The unit of the numbers in the plural, such as `rows`. */
  readonly unit: string;
  readonly perSecond?: number | undefined;
  readonly bytesPerSecond?: number | undefined;
  readonly secondsLeft?: number | undefined;
}

const BAR_WIDTH = 20;

/**
 * Returns a text such as `[########············]  41 %  4,100,000 of 10,000,000 rows, 312,000 rows/s, 45.0 MB/s, 0:19
 * left`. Omits unknown facts, and the bar if the total is unknown.
 * @param shareOfNone the share, from 0 to 1, that the bar shows if the total is 0
 */
export function progressText(
  { done, total, unit, perSecond, bytesPerSecond, secondsLeft }: ProgressFacts,
  shareOfNone = 1,
): string {
  const bar = total === undefined ? '' : `${barOf(total === 0 ? shareOfNone : done / total)}  `;
  return [
    `${bar}${rounded(done)}${total === undefined ? '' : ` of ${rounded(total)}`} ${unit}`,
    ...(perSecond === undefined ? [] : [`${rounded(perSecond)} ${unit}/s`]),
    ...(bytesPerSecond === undefined ? [] : [`${formatBytes(bytesPerSecond)}/s`]),
    ...(secondsLeft === undefined ? [] : [`${clock(secondsLeft)} left`]),
  ].join(', ');
}

/** Formats seconds, rounded up, as `0:07`, `12:30` or `3:05:00`. */
export function clock(seconds: number): string {
  const all = Math.ceil(seconds);
  const two = (value: number): string => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(all / 3600), Math.floor(all / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(all % 60)}` : `${minutes}:${two(all % 60)}`;
}

function barOf(share: number): string {
  const full = Math.floor(Math.min(1, share) * BAR_WIDTH);
  return `[${'#'.repeat(full).padEnd(BAR_WIDTH, '·')}] ${String(percent(share)).padStart(3)} %`;
}

function rounded(value: number): string {
  return formatNumber(Math.round(value));
}
