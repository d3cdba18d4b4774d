import { operations } from '../../platform/http/operations/operation.js';
import { deletedResponse, pageResponse } from '../../platform/http/operations/schemas.js';
import { PageQuery } from '../../platform/http/dto/page.dto.js';
import { NewTokenResponse, RotatedTokenResponse, TokenResponse } from './token-response.js';
import { CreateTokenDto, RotateTokenDto } from './tokens.dto.js';

const EXAMPLE = {
  id: 'tok_01KAMT8Z5CVYX7R2M4D6Q9WJ3E',
  name: 'ci',
  role: 'member',
  scopes: ['generate', 'jobs:write'],
  hint: 'us_live_7hG2…',
  member_id: null,
  needs_rotation: false,
  created_at: '2026-11-21T09:30:00.000Z',
  expires_at: '2027-02-19T09:30:00.000Z',
  last_used_at: null,
};
const NEW_EXAMPLE = { ...EXAMPLE, token: 'us_live_7hG2kQ9ZtX4vB8nM1pL6sD3fR5wY0c2aF9Qe' };

export const TOKENS = operations('Tokens', {
  listTokens: {
    method: 'GET',
    path: '/v1/tokens',
    client: 'tokens.list',
    summary: 'lists the API tokens',
    description: 'The newest tokens come first. Expired tokens are included.',
    role: 'admin',
    scope: 'tokens:read',
    calls: 'always_served',
    query: PageQuery,
    response: pageResponse('A page of tokens.', 'tokens', TokenResponse, EXAMPLE),
  },
  createToken: {
    method: 'POST',
    path: '/v1/tokens',
    client: 'tokens.create',
    summary: 'creates an API token',
    description:
      "A token that is created with a member's token belongs to that member and ends with the membership. You cannot grant more rights than you have.",
    role: 'admin',
    scope: 'tokens:write',
    calls: 'always_served',
    body: CreateTokenDto,
    example: {
      body: { name: 'ci', role: 'member', scopes: ['generate', 'jobs:write'], expires_in_days: 90 },
    },
    status: 201,
    location: '/v1/tokens/:id',
    secrets: ['token'],
    response: { description: 'The token, with its text.', data: NewTokenResponse, example: NEW_EXAMPLE },
  },
  getToken: {
    method: 'GET',
    path: '/v1/tokens/:id',
    client: 'tokens.get',
    summary: 'shows an API token',
    role: 'admin',
    scope: 'tokens:read',
    calls: 'always_served',
    resource: 'token',
    response: { description: 'The token.', data: TokenResponse, example: EXAMPLE },
  },
  rotateToken: {
    method: 'POST',
    path: '/v1/tokens/:id/rotate',
    client: 'tokens.rotate',
    summary: 'replaces the secret of an API token; the old secret stops working',
    description:
      "The token keeps its id, role and scopes. Members of any role can rotate their own tokens; other tokens need the role admin. Rotating another member's token invalidates it without showing a new one. `needs_rotation` is then true until that member rotates it with another of their tokens. If the member has no other token, remove the member and invite them again.",
    role: 'viewer',
    scope: 'tokens:write',
    calls: 'always_served',
    resource: 'token',
    body: RotateTokenDto,
    example: { body: { expires_in_days: 30 } },
    secrets: ['token'],
    response: {
      description: 'The token, with its new text.',
      data: RotatedTokenResponse,
      example: NEW_EXAMPLE,
    },
  },
  revokeToken: {
    method: 'DELETE',
    path: '/v1/tokens/:id',
    client: 'tokens.revoke',
    summary: 'revokes an API token',
    description: 'The token is refused from the next request.',
    role: 'admin',
    scope: 'tokens:write',
    calls: 'always_served',
    resource: 'token',
    response: deletedResponse('The token is revoked.', EXAMPLE.id),
  },
});
