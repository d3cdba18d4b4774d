import { Module } from '@nestjs/common';

import { BuiltinModelRegistry } from './builtin-model-registry.js';
import { GenerationController } from './generation.controller.js';
import { GenerationService } from './generation.service.js';

@Module({
  controllers: [GenerationController],
  providers: [GenerationService, BuiltinModelRegistry],
  exports: [BuiltinModelRegistry],
})
export class GenerationModule {}
