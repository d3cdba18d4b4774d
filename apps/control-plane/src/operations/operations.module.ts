import { Module } from '@nestjs/common';

import { MetricsService } from './metrics.service.js';
import { OperationsController } from './operations.controller.js';
import { ReadinessService } from './readiness.service.js';

@Module({
  controllers: [OperationsController],
  providers: [MetricsService, ReadinessService],
  exports: [MetricsService],
})
export class OperationsModule {}
