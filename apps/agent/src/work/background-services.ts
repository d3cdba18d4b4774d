import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

import { EventDelivery } from '../link/event-delivery.js';
import { HeartbeatService } from './leases/heartbeat.service.js';
import { EgressJournal } from '../journal/egress-journal.js';
import { InterruptedWork } from './jobs/interrupted-work.js';
import { ReplacedDatabases } from './tasks/replaced-databases.js';

/** Starts what has to run beside the message handlers, and closes the journal last. */
@Injectable()
export class BackgroundServices implements OnApplicationShutdown {
  constructor(
    private readonly interrupted: InterruptedWork,
    private readonly replaced: ReplacedDatabases,
    private readonly delivery: EventDelivery,
    private readonly heartbeat: HeartbeatService,
    private readonly journal: EgressJournal,
  ) {}

  /**
   * Call it before the agent takes commands: it separates interrupted jobs from new ones.
   * @param onFatal ends the process, also when the journal breaks: an agent that cannot record may neither report nor work
   */
  async start(onFatal: (error: unknown) => void): Promise<void> {
    void this.journal.whenBroken.then(onFatal);
    void this.delivery.start().catch(onFatal);
    await this.interrupted.resolve();
    this.replaced.start();
    void this.heartbeat.start().catch(onFatal);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.journal.close();
  }
}
