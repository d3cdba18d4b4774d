import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { ComputeModule } from '../compute/compute.module.js';
import { RegisteredCompositionsModule } from '../generators/registered-compositions.module.js';
import { CustomModelsModule } from '../models/custom/custom-models.module.js';
import { RateLimitsModule } from '../http/rate-limits/rate-limits.module.js';
import { TokensModule } from '../tokens/tokens.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { MockEndpointEntity } from './mock-endpoint.entity.js';
import { MockEndpointsController } from './mock-endpoints.controller.js';
import { MockEndpointsService } from './mock-endpoints.service.js';
import { AnswerMaker } from './serving/answer-maker.js';
import { MockAdmission } from './serving/mock-admission.js';
import { MockServer } from './serving/mock-server.js';
import { ReadyAnswers } from './serving/ready-answers.js';
import { RequestCounts } from './serving/request-counts.js';
import { ServedEndpoints } from './serving/served-endpoints.js';

/** Mock endpoints: managed over REST, and served. */
@Module({
  imports: [
    TypeOrmModule.forFeature([MockEndpointEntity]),
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
    AnswerMaker,
    MockAdmission,
    MockServer,
    ReadyAnswers,
    RequestCounts,
  ],
})
export class MockEndpointsModule {}
