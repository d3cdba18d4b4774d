import { Module } from '@nestjs/common';

import { AgentConfiguration } from '../config/agent-configuration.js';
import { AGENT_IDENTITY, type AgentIdentity } from '../identity/agent-identity.js';
import { Policy } from '../policy/policy.js';
import { SnapshotsModule } from '../snapshots/snapshots.module.js';
import { SyncModule } from '../sync/sync.module.js';
import { AgentConnection } from '../link/agent-connection.js';
import { AgentOffer } from '../policy/agent-offer.js';
import { AgentLinkServer } from '../link/agent-link-server.js';
import { CancelRequests } from '../operator/cancel-requests.js';
import { OperatorService } from '../operator/operator.service.js';
import { BackgroundServices } from './background-services.js';
import { AcknowledgementsController, EventDelivery } from '../link/event-delivery.js';
import { FreeDisk } from './leases/free-disk.js';
import { HeartbeatService } from './leases/heartbeat.service.js';
import { DatabaseReferences } from './jobs/database-references.js';
import { InterruptedWork } from './jobs/interrupted-work.js';
import { ReplacedDatabases } from './tasks/replaced-databases.js';
import { JobSlots } from './leases/job-slots.js';
import { JobsInBackground } from './jobs/jobs-in-background.js';
import { EgressJournal } from '../journal/egress-journal.js';
import { journalFolder } from '../journal/segment-files.js';
import { KeptDatabases } from './tasks/kept-databases.js';
import { ModelErasures } from './tasks/model-erasures.js';
import { TargetCleanups } from './tasks/target-cleanups.js';
import { Leases } from './leases/leases.js';
import { RestorePrechecks } from './tasks/restore-prechecks.js';
import { SnapshotDeletions } from './tasks/snapshot-deletions.js';
import { SnapshotJobs } from './jobs/snapshot-jobs.js';
import { SyncJobs } from './jobs/sync-jobs.js';

/**
 * Connects the agent to the control plane and runs its work. All messages to the control plane pass through
 * this module.
 */
@Module({
  imports: [SyncModule, SnapshotsModule],
  controllers: [
    AcknowledgementsController,
    KeptDatabases,
    ModelErasures,
    RestorePrechecks,
    SnapshotDeletions,
    SnapshotJobs,
    SyncJobs,
    TargetCleanups,
  ],
  providers: [
    AgentConnection,
    AgentLinkServer,
    BackgroundServices,
    CancelRequests,
    DatabaseReferences,
    EventDelivery,
    HeartbeatService,
    InterruptedWork,
    ReplacedDatabases,
    JobsInBackground,
    OperatorService,
    {
      provide: EgressJournal,
      inject: [AgentConfiguration],
      useFactory: ({ stateDir, journalMaxBytes }: AgentConfiguration) =>
        EgressJournal.open(journalFolder(stateDir), { maxBytes: journalMaxBytes, now: new Date() }),
    },
    {
      provide: FreeDisk,
      inject: [AgentConfiguration],
      useFactory: ({ stateDir, minFreeDiskBytes }: AgentConfiguration) =>
        new FreeDisk(journalFolder(stateDir), minFreeDiskBytes),
    },
    {
      provide: AgentOffer,
      inject: [Policy, AGENT_IDENTITY, AgentConfiguration],
      useFactory: (policy: Policy, identity: AgentIdentity, configuration: AgentConfiguration) =>
        new AgentOffer(policy, identity, configuration),
    },
    {
      provide: Leases,
      inject: [AgentConfiguration],
      useFactory: ({ lostAfterMs }: AgentConfiguration) => new Leases(lostAfterMs, () => performance.now()),
    },
    {
      provide: JobSlots,
      inject: [AgentConfiguration],
      useFactory: ({ maxJobs }: AgentConfiguration) => new JobSlots(maxJobs),
    },
  ],
  exports: [AgentLinkServer, BackgroundServices],
})
export class WorkModule {}
