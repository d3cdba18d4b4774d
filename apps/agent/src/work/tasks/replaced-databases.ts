import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { SnapshotRunner } from '@understudy/snapshot-engine';
import { errorDetail } from '@understudy/postgres';

import { AGENT_IDENTITY, type AgentIdentity } from '../../identity/agent-identity.js';
import { openReference } from '../jobs/open-secrets.js';
import { fromSealedText } from '../../wire/received-database.js';

const CHECK_EVERY_MS = 60_000;

/** Drops the databases that restores have replaced when the policy's `keep_replaced_hours` are over. */
@Injectable()
export class ReplacedDatabases implements OnModuleDestroy {
  private readonly logger = new Logger(ReplacedDatabases.name);
  private timer: NodeJS.Timeout | undefined;
  private checking = Promise.resolve();

  constructor(
    private readonly runner: SnapshotRunner,
    @Inject(AGENT_IDENTITY) private readonly identity: AgentIdentity,
  ) {}

  /** Checks now, and then once a minute. */
  start(): void {
    this.check();
    this.timer = setInterval(() => {
      this.check();
    }, CHECK_EVERY_MS);
  }

  /** Does not wait for a check that is running: the next start continues where it ended. */
  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /** Runs one check at a time. */
  private check(): void {
    this.checking = this.checking
      .then(() =>
        this.runner.dropReplaced((sealed, jobId) =>
          openReference(fromSealedText(sealed), { jobId, field: 'target' }, this.identity),
        ),
      )
      .catch((error: unknown) => {
        this.logger.warn({ detail: errorDetail(error) }, 'the notes of replaced databases cannot be read');
      });
  }
}
