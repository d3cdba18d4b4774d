import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { AgentWorkModule } from '../agent-work/agent-work.module.js';
import { AgentsModule } from '../agents/agents.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { RestoreStore } from './restore-store.js';
import { RestoresService } from './restores.service.js';
import { SnapshotDeletionEntity } from './snapshot-deletion.entity.js';
import { SnapshotDeletionsService } from './snapshot-deletions.service.js';
import { SnapshotEventsService } from './snapshot-events.service.js';
import { SnapshotExpiry } from './snapshot-expiry.js';
import { SnapshotMessagesController } from './snapshot-messages.controller.js';
import { SnapshotRestoreEntity } from './snapshot-restore.entity.js';
import { SnapshotStore } from './snapshot-store.js';
import { SnapshotEntity } from './snapshot.entity.js';
import { SnapshotsController } from './snapshots.controller.js';
import { SnapshotsService } from './snapshots.service.js';

/** Databases as they were: made, kept, restored and erased by agents. */
@Module({
  imports: [
    TypeOrmModule.forFeature([SnapshotEntity, SnapshotRestoreEntity, SnapshotDeletionEntity]),
    AgentWorkModule,
    AgentsModule,
    UsageModule,
    WebhooksModule,
  ],
  controllers: [SnapshotsController, SnapshotMessagesController],
  providers: [
    RestoreStore,
    RestoresService,
    SnapshotDeletionsService,
    SnapshotEventsService,
    SnapshotExpiry,
    SnapshotStore,
    SnapshotsService,
  ],
})
export class SnapshotsModule {}
