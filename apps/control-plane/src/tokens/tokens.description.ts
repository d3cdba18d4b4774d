import { Type } from 'typebox';

import { type OperationDescription, schemaOf } from '../api-description/operation-description.js';
import {
  deletedAnswer,
  id,
  instant,
  nullable,
  nullableId,
  oneOf,
  pageAnswer,
} from '../api-description/schemas.js';
import { ROLES } from '../http/pipeline/caller.js';
import { PageQuery } from '../http/dto/page.dto.js';
import { SCOPES } from '../http/pipeline/scope.js';
import type { NewTokenResponse, RotatedTokenResponse, TokenResponse } from './token-response.js';
import { CreateTokenDto, RotateTokenDto } from './tokens.dto.js';

const FIELDS = {
  id: id('tok', 'Id of the token; no secret.'),
  name: Type.String(),
  role: oneOf(ROLES, 'What it may; at most the role of its member.'),
  scopes: nullable(
    Type.Array(oneOf(SCOPES, 'What the token was narrowed to.')),
    'Null: everything the role may.',
  ),
  hint: Type.String({ description: 'How the token begins.' }),
  member_id: nullableId('mem', 'Whose token it is; null for a token of the organisation.'),
  needs_rotation: Type.Boolean({
    description:
      'True: another member rotated it, which ended its text. It works again once its own member has rotated it.',
  }),
  created_at: instant('When it was made.'),
  expires_at: instant('When it ends.'),
  last_used_at: nullable(Type.String({ format: 'date-time' }), 'To the minute; null when it never was.'),
};

const TOKEN = schemaOf<TokenResponse>('Token')(Type.Object(FIELDS));

const NEW_TOKEN = schemaOf<NewTokenResponse>('NewToken')(
  Type.Object({
    ...FIELDS,
    token: Type.String({ description: 'The API token. Shown here and never again.' }),
  }),
);

const ROTATED_TOKEN = schemaOf<RotatedTokenResponse>('RotatedToken')(
  Type.Object({
    ...FIELDS,
    token: Type.Optional(
      Type.String({
        description:
          "The API token. Shown here and never again, and only for a token of the organisation or the caller's own.",
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
    description: 'Newest first; expired ones too.',
    query: PageQuery,
    answer: pageAnswer('A page of tokens.', 'tokens', TOKEN, EXAMPLE),
  },
  createToken: {
    tag: 'Tokens',
    description:
      "A token made with a member's token is that member's and ends with the membership. Nobody gives more than they have.",
    body: CreateTokenDto,
    example: {
      body: { name: 'ci', role: 'member', scopes: ['generate', 'jobs:write'], expires_in_days: 90 },
    },
    answer: { says: 'The token, with its text.', data: NEW_TOKEN, example: NEW_EXAMPLE },
  },
  getToken: { tag: 'Tokens', answer: { says: 'The token.', data: TOKEN, example: EXAMPLE } },
  rotateToken: {
    tag: 'Tokens',
    description:
      "Id, role and scopes stay. Members of any role rotate their own tokens; others take the role admin. Rotating another member's token ends its text and shows no new one: `needs_rotation` is true until that member rotates it with another of their tokens. Remove a member who has none, and invite them again.",
    body: RotateTokenDto,
    example: { body: { expires_in_days: 30 } },
    answer: { says: 'The token, with its new text.', data: ROTATED_TOKEN, example: NEW_EXAMPLE },
  },
  revokeToken: {
    tag: 'Tokens',
    description: 'Counts from the next request on.',
    answer: deletedAnswer('The token is revoked.', EXAMPLE.id),
  },
} satisfies Record<string, OperationDescription>;
