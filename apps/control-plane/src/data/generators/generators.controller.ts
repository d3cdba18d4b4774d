import { Body, Controller, Param, Query } from '@nestjs/common';

import { Handles } from '../../platform/http/operations/handles.js';
import { GENERATORS } from './generators.operations.js';
import { type CallerRequest, CurrentRequest } from '../../platform/http/pipeline/caller-request.js';
import { GeneratorsService } from './generators.service.js';
import { ListGeneratorsQuery } from './list-generators.query.js';
import { RegisterGeneratorDto } from './register-generator.dto.js';

@Controller()
export class GeneratorsController {
  constructor(private readonly generators: GeneratorsService) {}

  @Handles(GENERATORS.listGenerators)
  list(@CurrentRequest() { caller }: CallerRequest, @Query() query: ListGeneratorsQuery) {
    return this.generators.list(caller.organizationId, query);
  }

  @Handles(GENERATORS.registerGenerator)
  register(@CurrentRequest() request: CallerRequest, @Body() body: RegisterGeneratorDto) {
    return this.generators.register(request, body);
  }

  @Handles(GENERATORS.getGenerator)
  get(@CurrentRequest() { caller }: CallerRequest, @Param('id') id: string) {
    return this.generators.get(caller.organizationId, id);
  }

  @Handles(GENERATORS.deleteGenerator)
  delete(@CurrentRequest() request: CallerRequest, @Param('id') id: string) {
    return this.generators.delete(request, id);
  }
}
