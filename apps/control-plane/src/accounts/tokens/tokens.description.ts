import { Type } from 'typebox';

import { type OperationDescription, schemaOf } from '../../platform/http/operations/operation-description.js';
import {
  deletedResponse,
  id,
  instant,
  nullable,
  nullableId,
  oneOf,
  pageResponse,
} from '../../platform/http/operations/schemas.js';
import { ROLES } from '../../platform/http/pipeline/caller.js';
import { PageQuery } from '../../platform/http/dto/page.dto.js';
import { SCOPES } from '../../platform/http/pipeline/scope.js';
import type { NewTokenResponse, RotatedTokenResponse, TokenResponse } from './token-response.js';
import { CreateTokenDto, RotateTokenDto } from './tokens.dto.js';

const FIELDS = {
  id: id('tok', 'Id of the token. It is not secret.'),
  name: Type.String(),
  role: oneOf(ROLES, 'The role of the token, which cannot be above the role of its member.'),
  scopes: nullable(
    Type.Array(oneOf(SCOPES, 'A scope to which the token is restricted.')),
    'Scopes to which the token is restricted. Null: everything that the role may do.',
  ),
  hint: Type.String({ description: 'The first characters of the token.' }),
  member_id: nullableId('mem', 'The member who owns the token; null for a token of the organisation.'),
  needs_rotation: Type.Boolean({
    description:
      'True if another member rotated the token, which invalidated it. It works again after the member who owns it has rotated it.',
  }),
  created_at: instant('When the token was created.'),
  expires_at: instant('When the token expires.'),
  last_used_at: nullable(
    Type.String({ format: 'date-time' }),
    'When the token was last used, exact to the minute. Null if it was never used.',
  ),
};

const TOKEN = schemaOf<TokenResponse>('Token')(Type.Object(FIELDS));

const NEW_TOKEN = schemaOf<NewTokenResponse>('NewToken')(
  Type.Object({
    ...FIELDS,
    token: Type.String({ description: 'The API token. Only this response shows it.' }),
  }),
);

const ROTATED_TOKEN = schemaOf<RotatedTokenResponse>('RotatedToken')(
  Type.Object({
    ...FIELDS,
    token: Type.Optional(
      Type.String({
        description:
          'The API token. Only this response shows it. It is missing if the token belongs to another member.',
      }),
    ),
  }),
);

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
    response: pageResponse('A page of tokens.', 'tokens', TOKEN, EXAMPLE),
  },
  createToken: {
    tag: 'Tokens',
    description:
      "A token that is created with a member's token belongs to that member and ends with the membership. You cannot grant more rights than you have.",
    body: CreateTokenDto,
    example: {
      body: { name: 'ci', role: 'member', scopes: ['generate', 'jobs:write'], expires_in_days: 90 },
    },
    response: { description: 'The token, with its text.', data: NEW_TOKEN, example: NEW_EXAMPLE },
  },
  getToken: { tag: 'Tokens', response: { description: 'The token.', data: TOKEN, example: EXAMPLE } },
  rotateToken: {
    tag: 'Tokens',
    description:
      "The token keeps its id, role and scopes. Members of any role can rotate their own tokens; other tokens need the role admin. Rotating another member's token invalidates it without showing a new one. `needs_rotation` is then true until that member rotates it with another of their tokens. If the member has no other token, remove the member and invite them again.",
    body: RotateTokenDto,
    example: { body: { expires_in_days: 30 } },
    response: { description: 'The token, with its new text.', data: ROTATED_TOKEN, example: NEW_EXAMPLE },
  },
  revokeToken: {
    tag: 'Tokens',
    description: 'The token is refused from the next request.',
    response: deletedResponse('The token is revoked.', EXAMPLE.id),
  },
} satisfies Record<string, OperationDescription>;
