import { Module } from '@nestjs/common';

import { AgentsModule } from '../agents/agents.module.js';
import { AgentErrands } from './agent-errands.js';
import { AgentPlacement } from './agent-placement.js';
import { HeartbeatController } from './heartbeat.controller.js';
import { LeasedWorks } from './leased-work.js';
import { WorkDispatcher } from './work-dispatcher.js';
import { WorkLeasesService } from './work-leases.service.js';
import { WorkOffers } from './work-offers.js';
import { WorkReconciler } from './work-reconciler.js';

/** Work that agents do under leases, whatever it is: given away, kept in touch with, taken back. */
@Module({
  imports: [AgentsModule],
  controllers: [HeartbeatController],
  providers: [
    AgentErrands,
    AgentPlacement,
    LeasedWorks,
    WorkDispatcher,
    WorkLeasesService,
    WorkOffers,
    WorkReconciler,
  ],
  exports: [AgentErrands, AgentPlacement, LeasedWorks, WorkOffers],
})
export class AgentWorkModule {}
