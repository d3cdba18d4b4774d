import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { GeneratorEntity } from './generator.entity.js';
import { RegisteredCompositions } from './registered-compositions.service.js';

/** The compositions that organisations registered, for whoever uses them. */
@Module({
  imports: [TypeOrmModule.forFeature([GeneratorEntity])],
  providers: [RegisteredCompositions],
  exports: [RegisteredCompositions],
})
export class RegisteredCompositionsModule {}
