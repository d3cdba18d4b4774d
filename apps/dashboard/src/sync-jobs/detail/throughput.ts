import type { SyncJob } from '@understudy/client';
import { useState } from 'react';

/** The throughput at one time. */
export interface Sample {
  /** In ms since 1970. */
  readonly at: number;
  readonly rows: number;
  readonly bytes: number;
}

/** The number of samples that are kept. At one sample a second, it is 15 minutes. */
const MAX_SAMPLES = 900;

/** Adds the throughput that a job reports now, if it copies rows. */
export function addSample(
  samples: readonly Sample[],
  { status, progress }: Pick<SyncJob, 'status' | 'progress'>,
  at: number,
): readonly Sample[] {
  const { rows_per_second: rows, bytes_per_second: bytes } = progress;
  if (status !== 'running' || rows === null || bytes === null) return samples;
  if (at <= (samples.at(-1)?.at ?? 0)) return samples;
  return [...samples.slice(1 - MAX_SAMPLES), { at, rows, bytes }];
}

/**
 * Returns the throughput since the page was opened. The API returns only the present one.
 * @param updatedAt when the job was received, in ms since 1970
 */
export function useThroughput(job: SyncJob, updatedAt: number): readonly Sample[] {
  const [state, setState] = useState<{ readonly samples: readonly Sample[]; readonly at: number }>({
    samples: [],
    at: 0,
  });
  if (state.at === updatedAt) return state.samples;
  const samples = addSample(state.samples, job, updatedAt);
  setState({ samples, at: updatedAt });
  return samples;
}
