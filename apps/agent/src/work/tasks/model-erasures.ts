import { Injectable, Logger } from '@nestjs/common';
import { ModelStore } from '@understudy/sync-engine';

import type { ModelErasure } from '../../wire/decode-command.js';
import { encodeModelErased } from '../../wire/encode-task-result.js';
import { EventDelivery } from '../../link/event-delivery.js';

/** Erases private models that the control plane was asked to delete. Once or ten times is the same. */
@Injectable()
export class ModelErasures {
  private readonly logger = new Logger(ModelErasures.name);

  constructor(
    private readonly models: ModelStore,
    private readonly delivery: EventDelivery,
  ) {}

  /** Resolves when the file is gone and the answer is in the journal. */
  async erase({ erasureId, name, requestedAt }: ModelErasure): Promise<void> {
    await this.models.erase(name, requestedAt);
    this.logger.log(`private/${name} is erased (${erasureId})`);
    await this.delivery.deliver((journalSeq) => encodeModelErased(journalSeq, erasureId, new Date()));
  }
}
