import type { Pace } from './pace.js';

export interface Advance {
  readonly done: number;
  /** Absent where nobody knows. */
  readonly total?: number | undefined;
  /** What is counted, in the plural: `rows`. */
  readonly unit: string;
  readonly pace: Pace;
}

const BAR_WIDTH = 20;

/** `[########············]  41 %  4,100,000 of 10,000,000 rows, 312,000 rows/s, 0:19 left`; the bar where the total is known. */
export function progressText({ done, total, unit, pace }: Advance): string {
  const perSecond = pace.perSecond();
  const left = total === undefined ? undefined : pace.secondsLeft(total);
  const share = total === undefined ? undefined : total === 0 ? 1 : Math.min(1, done / total);
  const bar =
    share === undefined
      ? ''
      : `[${'#'.repeat(Math.floor(share * BAR_WIDTH)).padEnd(BAR_WIDTH, '·')}] ${String(Math.floor(share * 100)).padStart(3)} %  `;
  return [
    `${bar}${whole(done)}${total === undefined ? '' : ` of ${whole(total)}`} ${unit}`,
    ...(perSecond === undefined ? [] : [`${whole(perSecond)} ${unit}/s`]),
    ...(left === undefined ? [] : [`${clock(left)} left`]),
  ].join(', ');
}

/** `0:07`, `12:30`, `3:05:00`. */
export function clock(seconds: number): string {
  const all = Math.ceil(seconds);
  const two = (value: number): string => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(all / 3600), Math.floor(all / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(all % 60)}` : `${minutes}:${two(all % 60)}`;
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}
