import { Module } from '@nestjs/common';

import { DeadLettersModule } from '../platform/dead-letters/dead-letters.module.js';
import { ComputeModule } from '../data/compute/compute.module.js';
import { MetricsService } from './metrics.service.js';
import { OperationsController } from './monitoring.controller.js';
import { OpsServer } from './ops-server.js';
import { ReadinessService } from './readiness.service.js';

@Module({
  imports: [DeadLettersModule, ComputeModule],
  controllers: [OperationsController],
  providers: [MetricsService, ReadinessService, OpsServer],
  exports: [MetricsService],
})
export class MonitoringModule {}
