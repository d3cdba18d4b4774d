import { Type } from 'typebox';

import { schemaOf, type OperationDescription } from '../api-description/operation-description.js';
import {
  deletedAnswer,
  id,
  instant,
  nullable,
  nullableId,
  oneOf,
  pageAnswer,
} from '../api-description/schemas.js';
import { PageQuery } from '../http/dto/page.dto.js';
import { NoBody } from '../http/dto/empty-request.dto.js';
import type { AgentResponse, CredentialsResponse } from './agent-responses.js';
import { EnrolAgentDto, RenewAgentDto } from './agents.dto.js';
import type {
  EnrolmentTokenResponse,
  NewEnrolmentTokenResponse,
} from './enrolment/enrolment-token-response.js';

const AGENT_FIELDS = {
  id: id('agt', 'Id of the agent.'),
  name: Type.String(),
  status: oneOf(['live', 'away', 'revoked'], 'Live: heard of within the last 15 seconds.'),
  last_seen_at: nullable(Type.String({ format: 'date-time' }), 'Null: never.'),
  version: nullable(Type.String(), 'Of the program; null until it was heard of.'),
  labels: Type.Array(Type.String(), { description: 'What jobs may select it by, beside id and name.' }),
  databases: Type.Array(Type.String(), {
    description: 'Databases of its policy: jobs name them `agent:<name>`.',
  }),
  masking_key_fingerprint: nullable(
    Type.String(),
    'Equal for agents that mask alike. A keyed hash: it does not reveal the key. Null until it was heard of.',
  ),
  enrolled_at: instant('When it was enrolled.'),
};

const AGENT = schemaOf<AgentResponse>('Agent')(Type.Object(AGENT_FIELDS));

const REVOKED_AGENT = schemaOf<AgentResponse & { deleted: true }>('RevokedAgent')(
  Type.Object({ ...AGENT_FIELDS, deleted: Type.Literal(true) }),
);

const CREDENTIALS = schemaOf<CredentialsResponse>('AgentCredentials')(
  Type.Object({
    agent_id: id('agt', 'Id of the agent.'),
    organization_id: id('org', 'Whose agent it is.'),
    nats_urls: Type.Array(Type.String(), { description: 'Where the agent connects to.' }),
    nats_jwt: Type.String({ description: "User JWT of the agent's NKey." }),
    jwt_expires_at: instant('When the JWT ends; renew it before.'),
  }),
);

const TOKEN_FIELDS = {
  id: id('enr', 'Id of the token; no secret.'),
  status: oneOf(['unused', 'used', 'expired'], 'Only an unused one enrols an agent.'),
  created_at: instant('When it was made.'),
  expires_at: instant('When it ends.'),
  used_at: nullable(Type.String({ format: 'date-time' }), 'Null while unused.'),
  agent_id: nullableId('agt', 'The agent that it enrolled.'),
};

const ENROLMENT_TOKEN = schemaOf<EnrolmentTokenResponse>('EnrolmentToken')(Type.Object(TOKEN_FIELDS));

const NEW_ENROLMENT_TOKEN = schemaOf<NewEnrolmentTokenResponse>('NewEnrolmentToken')(
  Type.Object({
    ...TOKEN_FIELDS,
    token: Type.String({ description: 'The enrolment token. Shown here and never again.' }),
  }),
);

const AGENT_EXAMPLE = {
  id: 'agt_01KAMT8Z5CVYX7R2M4D6Q9WJ3E',
  name: 'eu-1',
  status: 'live',
  last_seen_at: '2026-11-21T09:30:00.000Z',
  version: '0.1.0',
  labels: ['eu'],
  databases: ['shop_production', 'shop_staging'],
  masking_key_fingerprint: '3f0c5a9be1d24786a5b1c09d7e42f318',
  enrolled_at: '2026-11-20T14:00:00.000Z',
};
const CREDENTIALS_EXAMPLE = {
  agent_id: AGENT_EXAMPLE.id,
  organization_id: 'org_01KAMT8Z5CVYX7R2M4D6Q9WJ3E',
  nats_urls: ['tls://nats.example.com:4222'],
  nats_jwt: 'eyJ0eXAiOiJKV1QiLCJhbGciOiJlZDI1NTE5LW5rZXkifQ.e30.c2lnbmF0dXJl',
  jwt_expires_at: '2026-11-21T10:30:00.000Z',
};
const TOKEN_EXAMPLE = {
  id: 'enr_01KAMT8Z5CVYX7R2M4D6Q9WJ3E',
  status: 'unused',
  created_at: '2026-11-21T09:30:00.000Z',
  expires_at: '2026-11-21T10:30:00.000Z',
  used_at: null,
  agent_id: null,
};
const TOKEN_TEXT = 'us_enrol_Zr5cQ1x8vT0mK2pL9sD4fR7wY3bN6hG1jA8eU5oI2qX';

export const AGENT_DESCRIPTIONS = {
  listAgents: {
    tag: 'Agents',
    description: 'The last enrolled first; revoked ones too.',
    query: PageQuery,
    answer: pageAnswer('A page of agents.', 'agents', AGENT, AGENT_EXAMPLE),
  },
  getAgent: { tag: 'Agents', answer: { says: 'The agent.', data: AGENT, example: AGENT_EXAMPLE } },
  revokeAgent: {
    tag: 'Agents',
    description: 'It gets no work and no credential any more. Revoking it again changes nothing.',
    answer: {
      says: 'The agent is revoked.',
      data: REVOKED_AGENT,
      example: { ...AGENT_EXAMPLE, status: 'revoked', deleted: true },
    },
  },
  listEnrolmentTokens: {
    tag: 'Agents',
    description: 'Newest first; used and expired ones too.',
    query: PageQuery,
    answer: pageAnswer('A page of enrolment tokens.', 'enrolment_tokens', ENROLMENT_TOKEN, TOKEN_EXAMPLE),
  },
  createEnrolmentToken: {
    tag: 'Agents',
    body: NoBody,
    answer: {
      says: 'The token, with its text.',
      data: NEW_ENROLMENT_TOKEN,
      example: { ...TOKEN_EXAMPLE, token: TOKEN_TEXT },
    },
  },
  getEnrolmentToken: {
    tag: 'Agents',
    answer: { says: 'The token.', data: ENROLMENT_TOKEN, example: TOKEN_EXAMPLE },
  },
  revokeEnrolmentToken: {
    tag: 'Agents',
    description: 'The agent that a used one enrolled stays.',
    answer: deletedAnswer('The token is revoked.', TOKEN_EXAMPLE.id),
  },
  enrolAgent: {
    tag: 'Agents',
    description: 'For agents themselves. The enrolment token is spent.',
    body: EnrolAgentDto,
    example: {
      body: {
        token: TOKEN_TEXT,
        name: 'eu-1',
        nats_public_key: 'UDSDANYJTHNO3CHFHDNKYOFBAWRIT6WLOJCLVWPKNUQC7E7VABLAQDFT',
        sealing_public_key: 'BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=',
      },
    },
    answer: {
      says: 'The agent is enrolled.',
      data: CREDENTIALS,
      example: CREDENTIALS_EXAMPLE,
    },
    refusals: ['unauthorized', 'conflict'],
  },
  renewAgent: {
    tag: 'Agents',
    description: "For agents themselves, also after the credential has ended; proved by the agent's key.",
    body: RenewAgentDto,
    example: {
      body: {
        agent_id: AGENT_EXAMPLE.id,
        issued_at: '2026-11-21T09:30:00.000Z',
        nonce: 'pL9sD4fR7wY3bN6hG1jA8e',
        signature: `${'A'.repeat(86)}==`,
      },
    },
    answer: { says: 'The next credential.', data: CREDENTIALS, example: CREDENTIALS_EXAMPLE },
    refusals: ['unauthorized'],
  },
} satisfies Record<string, OperationDescription>;
