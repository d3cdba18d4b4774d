import { Body, Controller, Param, Query } from '@nestjs/common';

import { Handles } from '../../platform/http/operations/handles.js';
import { TOKENS } from './tokens.operations.js';
import { type CallerRequest, CurrentRequest } from '../../platform/http/pipeline/caller-request.js';
import { PageQuery } from '../../platform/http/dto/page.dto.js';
import { CreateTokenDto, RotateTokenDto } from './tokens.dto.js';
import { TokensService } from './tokens.service.js';

@Controller()
export class TokensController {
  constructor(private readonly tokens: TokensService) {}

  @Handles(TOKENS.createToken)
  create(@CurrentRequest() request: CallerRequest, @Body() body: CreateTokenDto) {
    return this.tokens.create(request, body);
  }

  @Handles(TOKENS.listTokens)
  list(@CurrentRequest() { caller }: CallerRequest, @Query() query: PageQuery) {
    return this.tokens.list(caller.organizationId, query);
  }

  @Handles(TOKENS.getToken)
  get(@CurrentRequest() { caller }: CallerRequest, @Param('id') id: string) {
    return this.tokens.get(caller.organizationId, id);
  }

  @Handles(TOKENS.rotateToken)
  rotate(@CurrentRequest() request: CallerRequest, @Param('id') id: string, @Body() body: RotateTokenDto) {
    return this.tokens.rotate(request, id, body);
  }

  @Handles(TOKENS.revokeToken)
  revoke(@CurrentRequest() request: CallerRequest, @Param('id') id: string) {
    return this.tokens.revoke(request, id);
  }
}
