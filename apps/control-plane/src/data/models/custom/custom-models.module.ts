import { Module } from '@nestjs/common';

import { CustomModelsService } from './custom-models.service.js';

/** The uploaded models of organisations, for all features that generate from them. */
@Module({
  providers: [CustomModelsService],
  exports: [CustomModelsService],
})
export class CustomModelsModule {}
