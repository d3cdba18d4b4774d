import { Module } from '@nestjs/common';

import { ComputeModule } from '../compute/compute.module.js';
import { RegisteredCompositionsModule } from '../generators/registered-compositions.module.js';
import { CustomModelsModule } from '../models/custom/custom-models.module.js';
import { RateLimitsModule } from '../../platform/http/rate-limits/rate-limits.module.js';
import { TokensModule } from '../../accounts/tokens/tokens.module.js';
import { UsageModule } from '../../accounts/usage/usage.module.js';
import { MockEndpointsController } from './mock-endpoints.controller.js';
import { MockEndpointsService } from './mock-endpoints.service.js';
import { ResponseGenerator } from './serving/response-generator.js';
import { MockAdmission } from './serving/mock-admission.js';
import { MockServer } from './serving/mock-server.js';
import { PreparedResponses } from './serving/prepared-responses.js';
import { RequestCounts } from './serving/request-counts.js';
import { ServedEndpoints } from './serving/served-endpoints.js';

/** Manages mock endpoints over REST, and serves them. */
@Module({
  imports: [
    ComputeModule,
    RegisteredCompositionsModule,
    CustomModelsModule,
    RateLimitsModule,
    TokensModule,
    UsageModule,
  ],
  controllers: [MockEndpointsController],
  providers: [
    MockEndpointsService,
    ServedEndpoints,
    ResponseGenerator,
    MockAdmission,
    MockServer,
    PreparedResponses,
    RequestCounts,
  ],
})
export class MockEndpointsModule {}
