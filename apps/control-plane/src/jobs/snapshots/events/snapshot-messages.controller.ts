import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import type { DeletionRefusal, RestoreEvent, SnapshotEvent } from '@understudy/agent-protocol';

import { senderOf } from '../../../agents/agent-link/receiving/message-context.js';
import { SnapshotDeletionsService } from '../deletions/snapshot-deletions.service.js';
import { SnapshotEventsService } from './snapshot-events.service.js';

/** Receives the messages of agents about snapshots. */
@Controller()
export class SnapshotMessagesController {
  constructor(
    private readonly events: SnapshotEventsService,
    private readonly deletions: SnapshotDeletionsService,
  ) {}

  @EventPattern('snapshot')
  async onSnapshot(@Payload() event: SnapshotEvent, @Ctx() context: unknown): Promise<void> {
    await this.events.applyToSnapshot(event, senderOf(context));
  }

  @EventPattern('restore')
  async onRestore(@Payload() event: RestoreEvent, @Ctx() context: unknown): Promise<void> {
    await this.events.applyToRestore(event, senderOf(context));
  }

  @EventPattern('snapshot_deleted')
  async onDeleted(@Payload() deletionId: string, @Ctx() context: unknown): Promise<void> {
    await this.deletions.acknowledged(deletionId, senderOf(context));
  }

  @EventPattern('snapshot_deletion_refused')
  async onDeletionRefused(@Payload() refusal: DeletionRefusal, @Ctx() context: unknown): Promise<void> {
    await this.deletions.refused(refusal, senderOf(context));
  }
}
