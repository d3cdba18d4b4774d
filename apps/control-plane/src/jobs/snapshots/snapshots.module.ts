import { Module } from '@nestjs/common';

import { AgentWorkModule } from '../../agents/agent-work/agent-work.module.js';
import { AgentsModule } from '../../agents/registry/agents.module.js';
import { KeptDatabasesModule } from '../kept-databases/kept-databases.module.js';
import { UsageModule } from '../../accounts/usage/usage.module.js';
import { WebhooksModule } from '../../webhooks/webhooks.module.js';
import { RestoreStore } from './restores/restore-store.js';
import { RestoresService } from './restores/restores.service.js';
import { SnapshotDeletionsService } from './deletions/snapshot-deletions.service.js';
import { SnapshotEventsService } from './events/snapshot-events.service.js';
import { SnapshotExpiry } from './deletions/snapshot-expiry.js';
import { SnapshotMessagesController } from './events/snapshot-messages.controller.js';
import { SnapshotRows } from './snapshot-rows.js';
import { SnapshotsController } from './requests/snapshots.controller.js';
import { SnapshotsService } from './requests/snapshots.service.js';

/** Snapshots of databases, which agents create, store, restore and erase. */
@Module({
  imports: [AgentWorkModule, AgentsModule, KeptDatabasesModule, UsageModule, WebhooksModule],
  controllers: [SnapshotsController, SnapshotMessagesController],
  providers: [
    RestoreStore,
    RestoresService,
    SnapshotDeletionsService,
    SnapshotEventsService,
    SnapshotExpiry,
    SnapshotRows,
    SnapshotsService,
  ],
})
export class SnapshotsModule {}
