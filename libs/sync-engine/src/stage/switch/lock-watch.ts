import { cancelLockWait, type Session } from '@understudy/postgres';
import { SyncJobError } from '@understudy/sync-job';
import { driverError, type FailureContext } from '../../session/guard.js';

/**
 * Cancels a statement of the switch that waits too long for a lock. An event trigger can change the settings with which
 * the server limits a wait, and others wait behind the locks of the switch.
 */
export class LockWatch {
  private readonly timer: NodeJS.Timeout;
  private check: Promise<void> | undefined;
  private hasCancelled = false;

  /** @param limitMs how long a wait may take, in milliseconds; one may take twice as long */
  constructor(session: Session, limitMs: number) {
    this.timer = setInterval(() => {
      this.check ??= cancelLockWait(session, limitMs).then((cancelled) => {
        this.hasCancelled ||= cancelled;
        this.check = undefined;
      });
    }, limitMs);
  }

  /** Cancels no statement any more. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.check;
  }

  /** Returns the error of a statement, or that of the lock if the watch has cancelled the statement. */
  errorOf(error: unknown, { side, isInEventTrigger }: FailureContext): unknown {
    if (!this.hasCancelled) return error;
    const cause = driverError(error);
    const { where } = (cause ?? {}) as { where?: unknown };
    const isOfTrigger = typeof where === 'string' && isInEventTrigger?.(where) === true;
    const code = isOfTrigger ? 'event_trigger_refused' : 'lock_timeout';
    return new SyncJobError({ code, side, sqlstate: LOCK_NOT_AVAILABLE }, { cause });
  }
}

const LOCK_NOT_AVAILABLE = '55P03';
