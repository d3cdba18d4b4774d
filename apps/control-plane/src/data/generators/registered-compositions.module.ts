import { Module } from '@nestjs/common';

import { CustomModelsModule } from '../models/custom/custom-models.module.js';
import { OrganizationLibrary } from './organization-library.js';
import { RegisteredCompositions } from './registered-compositions.service.js';

/**
 * Provides RegisteredCompositions, and OrganizationLibrary, which also finds custom models.
 */
@Module({
  imports: [CustomModelsModule],
  providers: [RegisteredCompositions, OrganizationLibrary],
  exports: [RegisteredCompositions, OrganizationLibrary],
})
export class RegisteredCompositionsModule {}
