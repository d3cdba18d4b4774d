import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';

import {
  type CallerRequest,
  CurrentCaller,
  CurrentRequest,
} from '../../platform/http/pipeline/caller-request.js';
import type { Caller } from '../../platform/http/pipeline/caller.js';
import { NoQuery } from '../../platform/http/dto/empty-request.dto.js';
import { GeneratorsService } from './generators.service.js';
import { ListGeneratorsQuery } from './list-generators.query.js';
import { RegisterGeneratorDto } from './register-generator.dto.js';

@Controller('generators')
export class GeneratorsController {
  constructor(private readonly generators: GeneratorsService) {}

  @Get()
  list(@CurrentCaller() { organizationId }: Caller, @Query() query: ListGeneratorsQuery) {
    return this.generators.list(organizationId, query);
  }

  @Post()
  register(
    @CurrentRequest() request: CallerRequest,
    @Query() _: NoQuery,
    @Body() body: RegisterGeneratorDto,
  ) {
    return this.generators.register(request, body);
  }

  @Get(':id')
  get(@CurrentCaller() { organizationId }: Caller, @Query() _: NoQuery, @Param('id') id: string) {
    return this.generators.get(organizationId, id);
  }

  @Delete(':id')
  delete(@CurrentRequest() request: CallerRequest, @Query() _: NoQuery, @Param('id') id: string) {
    return this.generators.delete(request, id);
  }
}
