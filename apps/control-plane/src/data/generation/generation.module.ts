import { Module } from '@nestjs/common';

import { ComputeModule } from '../compute/compute.module.js';
import { RegisteredCompositionsModule } from '../generators/registered-compositions.module.js';
import { GenerationController } from './generation.controller.js';
import { GenerationService } from './generation.service.js';

@Module({
  imports: [ComputeModule, RegisteredCompositionsModule],
  controllers: [GenerationController],
  providers: [GenerationService],
  exports: [GenerationService],
})
export class GenerationModule {}
