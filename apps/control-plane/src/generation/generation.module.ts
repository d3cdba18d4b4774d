import { Module } from '@nestjs/common';

import { CustomModelsModule } from '../models/custom-models.module.js';
import { GenerationController } from './generation.controller.js';
import { GenerationService } from './generation.service.js';
import { ModelInspection } from './model-inspection.js';
import { GenerationThreads } from './threads/generation-threads.js';

@Module({
  imports: [CustomModelsModule],
  controllers: [GenerationController],
  providers: [GenerationService, ModelInspection, GenerationThreads],
  exports: [GenerationService, ModelInspection],
})
export class GenerationModule {}
