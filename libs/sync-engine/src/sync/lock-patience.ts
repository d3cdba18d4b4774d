import type { RunningJob } from './running-job.js';
import type { LockPatience } from './staging/until-unlocked.js';

const TRY_MS = 2_000;
const WAIT_MS = 600_000;

/** As the settings say. A job that had to stand back says so when it completes, once. */
export function lockPatience({
  environment,
  signal,
  warnings,
}: Pick<RunningJob, 'environment' | 'signal' | 'warnings'>): LockPatience {
  const { copy, now, log } = environment;
  return {
    tryMs: copy.lockTryMs ?? TRY_MS,
    totalMs: copy.lockWaitMs ?? WAIT_MS,
    ...{ now, log, signal },
    onStandBack: () => {
      if (warnings.some(({ code }) => code === 'waited_for_lock')) return;
      warnings.push({ code: 'waited_for_lock' });
    },
  };
}
