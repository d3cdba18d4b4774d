import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

import { AgentConnection } from '../link/agent-connection.js';
import { EventDelivery } from '../link/event-delivery.js';
import { HeartbeatService } from './leases/heartbeat.service.js';
import { StateFolder } from '../state/state-folder.js';
import { EgressJournal } from '../journal/egress-journal.js';
import { InterruptedWork } from './jobs/interrupted-work.js';
import { OperatorService } from '../operator/operator.service.js';
import { ReplacedDatabases } from './tasks/replaced-databases.js';

/** Starts the services that run in the background. At shutdown, closes the journal and unlocks the state folder. */
@Injectable()
export class BackgroundServices implements OnApplicationShutdown {
  constructor(
    private readonly interrupted: InterruptedWork,
    private readonly replaced: ReplacedDatabases,
    private readonly delivery: EventDelivery,
    private readonly heartbeat: HeartbeatService,
    private readonly operator: OperatorService,
    private readonly connection: AgentConnection,
    private readonly journal: EgressJournal,
    private readonly folder: StateFolder,
  ) {}

  /**
   * Starts the services. Must be called before the agent receives commands, so that interrupted jobs can be
   * distinguished from new ones.
   * @param onFatal is called with the error if the event delivery, the heartbeats or the journal fail, or if a
   * newer process has taken over the identity of this agent; ends the process
   */
  async start(onFatal: (error: unknown) => void): Promise<void> {
    void this.journal.whenBroken.then(onFatal);
    void this.connection.whenSuperseded.then(onFatal);
    void this.delivery.start().catch(onFatal);
    await this.operator.start();
    await this.interrupted.resolve();
    this.replaced.start();
    void this.heartbeat.start().catch(onFatal);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.journal.close();
    this.folder.close();
  }
}
