import { Module } from '@nestjs/common';

import { AgentConfiguration } from '../config/agent-configuration.js';
import { AGENT_IDENTITY, type AgentIdentity } from '../identity/agent-identity.js';
import { Policy } from '../policy/policy.js';
import { SnapshotsModule } from '../snapshots/snapshots.module.js';
import { SyncModule } from '../sync/sync.module.js';
import { AgentConnection } from './agent-connection.js';
import { AgentOffer } from './agent-offer.js';
import { AgentLinkServer } from './agent-link-server.js';
import { CommandsController } from './commands.controller.js';
import { ControlLink } from './control-link.service.js';
import { EventDelivery } from './event-delivery.js';
import { FreeDisk } from './free-disk.js';
import { HeartbeatService } from './heartbeat.service.js';
import { InterruptedWork } from './interrupted-work.js';
import { ReplacedDatabases } from './replaced-databases.js';
import { JobSlots } from './job-slots.js';
import { JobsInBackground } from './jobs-in-background.js';
import { EgressJournal } from './journal/egress-journal.js';
import { journalFolder } from './journal/segment-files.js';
import { ModelErasures } from './model-erasures.js';
import { TargetClearances } from './target-clearances.js';
import { Leases } from './leases.js';
import { RestoreQuestions } from './restore-questions.js';
import { SnapshotDeletions } from './snapshot-deletions.js';
import { SnapshotJobs } from './snapshot-jobs.js';
import { SyncJobs } from './sync-jobs.js';

/** The only place of the agent that knows NATS and protobuf; nothing leaves the process by another way. */
@Module({
  imports: [SyncModule, SnapshotsModule],
  controllers: [CommandsController],
  providers: [
    AgentConnection,
    AgentLinkServer,
    ControlLink,
    EventDelivery,
    HeartbeatService,
    InterruptedWork,
    ReplacedDatabases,
    JobsInBackground,
    ModelErasures,
    RestoreQuestions,
    SnapshotDeletions,
    SnapshotJobs,
    SyncJobs,
    TargetClearances,
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
      useFactory: (policy: Policy, identity: AgentIdentity, { labels }: AgentConfiguration) =>
        new AgentOffer(policy.sections, identity, labels),
    },
    { provide: Leases, useFactory: () => new Leases(CUT_OFF_MS, performance.now()) },
    {
      provide: JobSlots,
      inject: [AgentConfiguration],
      useFactory: ({ maxJobs }: AgentConfiguration) => new JobSlots(maxJobs),
    },
  ],
  exports: [AgentLinkServer, ControlLink],
})
export class ControlLinkModule {}

/** Cut off for so long an agent stops its jobs: before the control plane gives them to another (45 s by default). */
const CUT_OFF_MS = 30_000;
