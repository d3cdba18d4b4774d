import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { CustomModelEntity } from './custom-model.entity.js';
import { CustomModelsService } from './custom-models.service.js';

/** The models that organisations uploaded, for whoever draws from them. */
@Module({
  imports: [TypeOrmModule.forFeature([CustomModelEntity])],
  providers: [CustomModelsService],
  exports: [CustomModelsService],
})
export class CustomModelsModule {}
