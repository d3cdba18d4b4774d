import { Module } from '@nestjs/common';

import { GenerationModule } from '../generation/generation.module.js';
import { MetricsService } from './metrics.service.js';
import { OperationsController } from './operations.controller.js';
import { OpsServer } from './ops-server.js';
import { ReadinessService } from './readiness.service.js';

@Module({
  imports: [GenerationModule],
  controllers: [OperationsController],
  providers: [MetricsService, ReadinessService, OpsServer],
  exports: [MetricsService],
})
export class OperationsModule {}
