import { Injectable } from '@nestjs/common';

import { RegisteredCompositions } from './registered-compositions.service.js';
import { CustomModelsService } from '../models/custom/custom-models.service.js';
import type { TaskLookups } from '../compute/task-lookups.js';

/** Finds the custom models and registered compositions of an organisation, which its definitions may use. */
@Injectable()
export class OrganizationLibrary {
  constructor(
    private readonly models: CustomModelsService,
    private readonly compositions: RegisteredCompositions,
  ) {}

  of(organizationId: string): TaskLookups {
    return {
      model: (id) => this.models.file(organizationId, id),
      composition: (use) => this.compositions.find(organizationId, use),
      compositionNames: () => this.compositions.names(organizationId),
    };
  }
}
