import { Module } from '@nestjs/common';

import { GenerationModule } from '../generation/generation.module.js';
import { PrivateModelsModule } from '../private-models/private-models.module.js';
import { CustomModelsModule } from './custom/custom-models.module.js';
import { ModelsController } from './models.controller.js';
import { ModelsService } from './models.service.js';
import { PrivateModelRows } from './private-model-rows.js';

/** The models of an organisation over REST. */
@Module({
  imports: [CustomModelsModule, GenerationModule, PrivateModelsModule],
  controllers: [ModelsController],
  providers: [ModelsService, PrivateModelRows],
})
export class ModelsModule {}
