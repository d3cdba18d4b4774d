import { Controller, Logger } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { encodeModelErased, type ModelErasure } from '@understudy/agent-protocol';
import { ModelStore } from '@understudy/sync-engine';

import { EventDelivery } from '../../link/event-delivery.js';

/** Erases private models at the request of the control plane. The operation is idempotent. */
@Controller()
export class ModelErasures {
  private readonly logger = new Logger(ModelErasures.name);

  constructor(
    private readonly models: ModelStore,
    private readonly delivery: EventDelivery,
  ) {}

  /** Erases a model. Resolves when the file is deleted and the result is in the journal. */
  @EventPattern('erase_private_model')
  async erase(@Payload() { id, name, requestedAt }: ModelErasure): Promise<void> {
    await this.models.erase(name, requestedAt);
    this.logger.log(`private/${name} is erased (${id})`);
    await this.delivery.deliver((journalSeq) => encodeModelErased(journalSeq, id, new Date()));
  }
}
