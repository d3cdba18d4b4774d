import type { OperationDescription } from '../../platform/http/operations/operation-description.js';
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

export const TOKEN_DESCRIPTIONS = {
  listTokens: {
    tag: 'Tokens',
    description: 'The newest tokens come first. Expired tokens are included.',
    query: PageQuery,
    response: pageResponse('A page of tokens.', 'tokens', TokenResponse, EXAMPLE),
  },
  createToken: {
    tag: 'Tokens',
    description:
      "A token that is created with a member's token belongs to that member and ends with the membership. You cannot grant more rights than you have.",
    body: CreateTokenDto,
    example: {
      body: { name: 'ci', role: 'member', scopes: ['generate', 'jobs:write'], expires_in_days: 90 },
    },
    response: { description: 'The token, with its text.', data: NewTokenResponse, example: NEW_EXAMPLE },
  },
  getToken: { tag: 'Tokens', response: { description: 'The token.', data: TokenResponse, example: EXAMPLE } },
  rotateToken: {
    tag: 'Tokens',
    description:
      "The token keeps its id, role and scopes. Members of any role can rotate their own tokens; other tokens need the role admin. Rotating another member's token invalidates it without showing a new one. `needs_rotation` is then true until that member rotates it with another of their tokens. If the member has no other token, remove the member and invite them again.",
    body: RotateTokenDto,
    example: { body: { expires_in_days: 30 } },
    response: {
      description: 'The token, with its new text.',
      data: RotatedTokenResponse,
      example: NEW_EXAMPLE,
    },
  },
  revokeToken: {
    tag: 'Tokens',
    description: 'The token is refused from the next request.',
    response: deletedResponse('The token is revoked.', EXAMPLE.id),
  },
} satisfies Record<string, OperationDescription>;
