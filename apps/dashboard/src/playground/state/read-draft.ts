import { parseInstant, startOfUtcDay } from '@understudy/sync-job';

import { SETTINGS } from '../texts.js';
import type { RecordsRequest } from '../../engine/worker/messages.js';
import type { Draft } from './draft.js';

/** The API generates more records at a time. The page shows at most this many. */
export const MAX_COUNT = 1_000;

export interface DraftErrors {
  readonly seed?: string;
  readonly count?: string;
  readonly now?: string;
}

export type ReadDraft =
  | { readonly request: RecordsRequest; readonly errors?: undefined }
  | { readonly errors: DraftErrors };

/**
 * Checks the settings of a draft.
 * @param today the time to which relative dates refer by default: the start of its UTC day
 */
export function readDraft({ schema, seed, count, now, format }: Draft, today: Date): ReadDraft {
  const errors: DraftErrors = {
    ...(isIntegerIn(seed, -Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
      ? {}
      : { seed: SETTINGS.seedError }),
    ...(isIntegerIn(count, 1, MAX_COUNT) ? {} : { count: SETTINGS.countError }),
    ...(now === '' || parseInstant(now) !== undefined ? {} : { now: SETTINGS.nowError }),
  };
  if (Object.keys(errors).length > 0) return { errors };
  const nowMs = (parseInstant(now) ?? startOfUtcDay(today)).getTime();
  return { request: { kind: 'records', schema, seed: Number(seed), count: Number(count), nowMs, format } };
}

function isIntegerIn(text: string, least: number, most: number): boolean {
  return /^-?\d{1,16}$/.test(text) && Number(text) >= least && Number(text) <= most;
}
