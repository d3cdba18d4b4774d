import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { SnapshotRunner } from '@understudy/snapshot-engine';
import { errorDetail } from '@understudy/postgres';

import { AGENT_IDENTITY, type AgentIdentity } from '../../identity/agent-identity.js';
import { openReference } from '../jobs/open-secrets.js';
import { fromSealedText } from '../../wire/received-database.js';

const LOOK_EVERY_MS = 60_000;

/** Drops the databases that restores have replaced when the policy's `keep_replaced_hours` are over. */
@Injectable()
export class ReplacedDatabases implements OnModuleDestroy {
  private readonly logger = new Logger(ReplacedDatabases.name);
  private timer: NodeJS.Timeout | undefined;
  private looking = Promise.resolve();

  constructor(
    private readonly runner: SnapshotRunner,
    @Inject(AGENT_IDENTITY) private readonly identity: AgentIdentity,
  ) {}

  /** Looks now, and once a minute. */
  start(): void {
    this.look();
    this.timer = setInterval(() => {
      this.look();
    }, LOOK_EVERY_MS);
  }

  /** A look that is under way is not waited for: what it does not come to, the next start does. */
  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /** One look ends before the next begins. */
  private look(): void {
    this.looking = this.looking
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
