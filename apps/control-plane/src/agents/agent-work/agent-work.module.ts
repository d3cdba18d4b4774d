import { Module } from '@nestjs/common';

import { AgentsModule } from '../registry/agents.module.js';
import { AgentTasks } from './agent-tasks.js';
import { AgentPlacement } from './choice/agent-placement.js';
import { HeartbeatController, WorkLeasesService } from './leases/work-leases.service.js';
import { LeasedWorks } from './leases/leased-work.js';
import { WorkDispatcher } from './leases/work-dispatcher.js';
import { WorkOffers } from './leases/work-offers.js';
import { WorkReconciler } from './leases/work-reconciler.js';

/** Leases work of every kind to agents, renews the leases and reclaims work from expired ones. */
@Module({
  imports: [AgentsModule],
  controllers: [HeartbeatController],
  providers: [
    AgentTasks,
    AgentPlacement,
    LeasedWorks,
    WorkDispatcher,
    WorkLeasesService,
    WorkOffers,
    WorkReconciler,
  ],
  exports: [AgentTasks, AgentPlacement, LeasedWorks, WorkOffers],
})
export class AgentWorkModule {}
