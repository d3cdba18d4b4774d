import { Type } from 'typebox';

import {
  id,
  instant,
  named,
  nullable,
  nullableId,
  nullableInstant,
  oneOf,
  type ResponseOf,
} from '../../platform/http/operations/schemas.js';
import { ROLES } from '../../platform/http/pipeline/caller.js';
import { SCOPES } from '../../platform/http/pipeline/scope.js';
import type { ApiTokenEntity } from './api-token.entity.js';

export const TokenResponse = named('Token', {
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
  last_used_at: nullableInstant(
    'When the token was last used, exact to the minute. Null if it was never used.',
  ),
});
export type TokenResponse = ResponseOf<typeof TokenResponse>;

export const NewTokenResponse = named('NewToken', {
  ...TokenResponse.properties,
  token: Type.String({ description: 'The API token. Only this response shows it.' }),
});
export type NewTokenResponse = ResponseOf<typeof NewTokenResponse>;

export const RotatedTokenResponse = named('RotatedToken', {
  ...TokenResponse.properties,
  token: Type.Optional(
    Type.String({
      description:
        'The API token. Only this response shows it. It is missing if the token belongs to another member.',
    }),
  ),
});
export type RotatedTokenResponse = ResponseOf<typeof RotatedTokenResponse>;

export function toTokenResponse(token: ApiTokenEntity): TokenResponse {
  return {
    id: token.id,
    name: token.name,
    role: token.role,
    scopes: token.scopes,
    hint: token.tokenHint,
    member_id: token.memberId,
    needs_rotation: token.needsRotation,
    created_at: token.createdAt.toISOString(),
    expires_at: token.expiresAt.toISOString(),
    last_used_at: token.lastUsedAt?.toISOString() ?? null,
  };
}
