import { Module } from '@nestjs/common';

import { CallMeter } from '../http/pipeline/admission.js';
import { ApiCallMeter } from './api-call-meter.js';
import { QuotasService } from './quotas.service.js';

/** What plans limit and how much of it is used. Not global: those end after the connection to Postgres, and counts are lost. */
@Module({
  providers: [QuotasService, { provide: CallMeter, useClass: ApiCallMeter }],
  exports: [QuotasService, CallMeter],
})
export class UsageModule {}
