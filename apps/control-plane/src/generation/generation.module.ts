import { Module } from '@nestjs/common';

import { CustomModelsModule } from '../models/custom/custom-models.module.js';
import { RegisteredCompositionsModule } from '../generators/registered-compositions.module.js';
import { OrganizationLibrary } from './organization-library.js';
import { GenerationController } from './generation.controller.js';
import { GenerationService } from './generation.service.js';
import { MockGeneration } from './mock-answers/mock-generation.js';
import { ModelInspection } from './model-inspection.js';
import { GenerationThreads } from './threads/generation-threads.js';

@Module({
  imports: [CustomModelsModule, RegisteredCompositionsModule],
  controllers: [GenerationController],
  providers: [GenerationService, ModelInspection, MockGeneration, OrganizationLibrary, GenerationThreads],
  exports: [GenerationService, ModelInspection, MockGeneration],
})
export class GenerationModule {}
