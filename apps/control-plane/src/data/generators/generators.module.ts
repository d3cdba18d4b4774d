import { Module } from '@nestjs/common';

import { ComputeModule } from '../compute/compute.module.js';
import { GeneratorsController } from './generators.controller.js';
import { GeneratorsService } from './generators.service.js';
import { RegisteredCompositionsModule } from './registered-compositions.module.js';

/** Serves the registered compositions of an organisation over REST. */
@Module({
  imports: [ComputeModule, RegisteredCompositionsModule],
  controllers: [GeneratorsController],
  providers: [GeneratorsService],
})
export class GeneratorsModule {}
