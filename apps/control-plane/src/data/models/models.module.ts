import { Module } from '@nestjs/common';

import { ComputeModule } from '../compute/compute.module.js';
import { PrivateModelsModule } from '../private-models/private-models.module.js';
import { CustomModelsModule } from './custom/custom-models.module.js';
import { ModelInspection } from './model-inspection.js';
import { ModelsController } from './models.controller.js';
import { ModelsService } from './models.service.js';

/** Manages the models of an organisation over REST. */
@Module({
  imports: [ComputeModule, CustomModelsModule, PrivateModelsModule],
  controllers: [ModelsController],
  providers: [ModelInspection, ModelsService],
})
export class ModelsModule {}
