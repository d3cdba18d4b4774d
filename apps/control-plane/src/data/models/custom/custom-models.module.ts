import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { CustomModelEntity } from './custom-model.entity.js';
import { CustomModelsService } from './custom-models.service.js';

/** The uploaded models of organisations, for all features that generate from them. */
@Module({
  imports: [TypeOrmModule.forFeature([CustomModelEntity])],
  providers: [CustomModelsService],
  exports: [CustomModelsService],
})
export class CustomModelsModule {}
