import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { SnapshotRunner } from '@understudy/snapshot-engine';
import { errorDetail } from '@understudy/postgres';

import { DatabaseReferences } from '../jobs/database-references.js';
import { fromSealedText } from '../jobs/sealed-text.js';

const CHECK_EVERY_MS = 60_000;

/** Drops databases that a restore has replaced, once the policy's `keep_replaced_hours` have passed. */
@Injectable()
export class ReplacedDatabases implements OnModuleDestroy {
  private readonly logger = new Logger(ReplacedDatabases.name);
  private timer: NodeJS.Timeout | undefined;
  private checking = Promise.resolve();

  constructor(
    private readonly runner: SnapshotRunner,
    private readonly databases: DatabaseReferences,
  ) {}

  /** Checks now, and then once a minute. */
  start(): void {
    this.check();
    this.timer = setInterval(() => {
      this.check();
    }, CHECK_EVERY_MS);
  }

  /** Stops the checks. Does not wait for a running check, because the next start repeats it. */
  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /** Runs one check at a time. */
  private check(): void {
    this.checking = this.checking
      .then(() =>
        this.runner.dropReplaced((sealed, jobId) =>
          this.databases.open(fromSealedText(sealed), { jobId, field: 'target' }),
        ),
      )
      .catch((error: unknown) => {
        this.logger.warn({ detail: errorDetail(error) }, 'replaced databases could not be checked');
      });
  }
}
