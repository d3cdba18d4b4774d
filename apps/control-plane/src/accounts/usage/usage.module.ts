import { Module } from '@nestjs/common';

import { CallMeter } from '../../platform/http/pipeline/admission.js';
import { ApiCallMeter } from './api-call-meter.js';
import { DailyUsageController, DailyUsageService } from './daily-usage.service.js';
import { QuotasService } from './quotas.service.js';

/**
 * Counts the usage of plans and enforces their limits. This module must not be global: global modules shut
 * down after the database connection is closed, and the last counts would be lost.
 */
@Module({
  controllers: [DailyUsageController],
  providers: [QuotasService, DailyUsageService, { provide: CallMeter, useClass: ApiCallMeter }],
  exports: [QuotasService, CallMeter],
})
export class UsageModule {}
