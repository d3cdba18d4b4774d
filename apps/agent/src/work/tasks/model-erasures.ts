import { Inject, Injectable, Logger } from '@nestjs/common';
import { eventSubject } from '@understudy/jetstream-transport';
import { ModelStore } from '@understudy/sync-engine';

import { AGENT_IDENTITY, type AgentIdentity } from '../../identity/agent-identity.js';
import type { ModelErasure } from '../../wire/decode-command.js';
import { encodeErasure } from '../../wire/encode-event.js';
import { EventDelivery } from '../../link/event-delivery.js';

/** Erases private models that the control plane was asked to delete. Once or ten times is the same. */
@Injectable()
export class ModelErasures {
  private readonly logger = new Logger(ModelErasures.name);

  constructor(
    private readonly models: ModelStore,
    private readonly delivery: EventDelivery,
    @Inject(AGENT_IDENTITY) private readonly identity: AgentIdentity,
  ) {}

  /** Resolves when the file is gone and the answer is in the journal. */
  async erase({ erasureId, name, requestedAt }: ModelErasure): Promise<void> {
    await this.models.erase(name, requestedAt);
    this.logger.log(`private/${name} is erased (${erasureId})`);
    await this.delivery.deliver({
      subject: eventSubject(this.identity.agentId),
      encode: (journalSeq) => encodeErasure(journalSeq, { erasureId, occurredAt: new Date() }),
    });
  }
}
