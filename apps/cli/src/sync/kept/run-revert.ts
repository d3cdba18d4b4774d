import { randomBytes } from 'node:crypto';
import { keptName, revertTarget } from '@understudy/database-swap';
import { announceSteps } from '@understudy/sync-engine';
import { toDefinition } from '@understudy/sync-job';
import { JsonLines } from '../../terminal/json-lines.js';
import { printLine } from '../../terminal/messages.js';
import { localLog } from '../engine/local-log.js';
import { isForPrograms, type JobFileOptions } from '../job-file-options.js';
import { withKeptDatabase } from './kept-database.js';

export interface RevertOptions extends JobFileOptions {
  readonly lockWait: number;
}

/**
 * Runs `understudy revert`. Records the id of the revert before the swap, so that the next call completes a revert that a
 * crash has interrupted, instead of swapping the databases again.
 * @throws CliError if nothing is kept or the revert fails, Interrupted
 */
export async function runRevert(file: string, options: RevertOptions): Promise<void> {
  const log = localLog(options.verbose === true, () => undefined);
  await withKeptDatabase(file, options, async ({ job, kept, record }, signal) => {
    const { target } = job.target;
    const { lastChange, isReverted, reverting: revertId = newId() } = kept;
    await record({ ...kept, reverting: revertId });
    const { endSessions = false } = toDefinition(job.request);
    const request = {
      ...{ revertId, lastChange, epoch: 1, graceMs: options.lockWait * 1_000, signal, log },
      endsSessions: endSessions && job.policy.allow_end_sessions,
    };
    await revertTarget(target, { ...request, reached: announceSteps(log) });
    await record({ target: kept.target, lastChange: revertId, isReverted: !isReverted });
    const keptDatabase = keptName(target.database, revertId);
    if (isForPrograms(options))
      new JsonLines(process.stdout).event({
        event: 'reverted',
        target: target.display,
        kept_database: keptDatabase,
      });
    else
      printLine(
        `${target.display} has the content ${isReverted ? 'of the last run' : 'that it had before the last run'}. The other database is kept as ${keptDatabase}.`,
      );
  });
}

function newId(): string {
  return `rvt_${randomBytes(13).toString('hex')}`;
}
