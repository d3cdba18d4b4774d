import type { OperationDescription } from '../../platform/http/operations/operation-description.js';
import { deletedResponse, pageResponse } from '../../platform/http/operations/schemas.js';
import { PageQuery } from '../../platform/http/dto/page.dto.js';
import { NoBody } from '../../platform/http/dto/empty-request.dto.js';
import { AgentResponse, CredentialsResponse, RevokedAgentResponse } from './agent-responses.js';
import { EnrolAgentDto, RenewAgentDto } from './agents.dto.js';
import { EnrolmentTokenResponse, NewEnrolmentTokenResponse } from './enrolment/enrolment-token-response.js';
import { installLines } from './enrolment/install-lines.js';

const POLICY_EXAMPLE = {
  databases: { total: 2, source: 1, target: 1, snapshot: 1, restore: 1 },
  urls: { total: 0, source: 0, target: 0, snapshot: 0, restore: 0 },
  min_sslmode: 'verify_full',
  allow_plaintext: false,
  never_preserve_count: 3,
  protect_text: true,
  may_preserve_count: 12,
  reject_unlisted: true,
  allow_where: false,
  allow_training: true,
  min_values_floor: 20,
  snapshot_min_age_hours: 0,
  keep_replaced_hours: 24,
  report_names: true,
  allow_shared_schemas: false,
  allow_source_code: false,
  allow_superuser_target: false,
};
const AGENT_EXAMPLE = {
  id: 'agt_01KAMT8Z5CVYX7R2M4D6Q9WJ3E',
  name: 'eu-1',
  status: 'live',
  last_seen_at: '2026-11-21T09:30:00.000Z',
  version: '0.1.0',
  labels: ['eu'],
  databases: ['shop_production', 'shop_staging'],
  masking_key_fingerprint: '3f0c5a9be1d24786a5b1c09d7e42f318',
  slots: 4,
  free_slots: 3,
  running: [
    {
      type: 'sync_job',
      id: 'job_01KAMT8Z5CVYX7R2M4D6Q9WJ3E',
      leased_at: '2026-11-21T09:29:40.000Z',
      held_until: '2026-11-21T13:30:45.000Z',
    },
  ],
  snapshot_store: 'folder',
  policy: POLICY_EXAMPLE,
  enrolled_at: '2026-11-20T14:00:00.000Z',
  last_started_at: '2026-11-20T14:00:01.000Z',
  last_conflict_at: null,
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
    description: 'Returns all agents, including revoked ones. The most recently enrolled agent comes first.',
    query: PageQuery,
    response: pageResponse('A page of agents.', 'agents', AgentResponse, AGENT_EXAMPLE),
  },
  getAgent: {
    tag: 'Agents',
    response: { description: 'The agent.', data: AgentResponse, example: AGENT_EXAMPLE },
  },
  revokeAgent: {
    tag: 'Agents',
    description:
      'A revoked agent gets no further work and no further credentials. If the agent is already revoked, nothing changes.',
    response: {
      description: 'The agent is revoked.',
      data: RevokedAgentResponse,
      example: { ...AGENT_EXAMPLE, status: 'revoked', deleted: true },
    },
  },
  listEnrolmentTokens: {
    tag: 'Agents',
    description: 'Returns all tokens, including used and expired ones. The newest token comes first.',
    query: PageQuery,
    response: pageResponse(
      'A page of enrolment tokens.',
      'enrolment_tokens',
      EnrolmentTokenResponse,
      TOKEN_EXAMPLE,
    ),
  },
  createEnrolmentToken: {
    tag: 'Agents',
    body: NoBody,
    response: {
      description: 'The token, including its text.',
      data: NewEnrolmentTokenResponse,
      example: {
        ...TOKEN_EXAMPLE,
        token: TOKEN_TEXT,
        install: installLines('https://understudy.example.com'),
      },
    },
  },
  getEnrolmentToken: {
    tag: 'Agents',
    response: { description: 'The token.', data: EnrolmentTokenResponse, example: TOKEN_EXAMPLE },
  },
  revokeEnrolmentToken: {
    tag: 'Agents',
    description: 'An agent that the token enrolled stays enrolled.',
    response: deletedResponse('The token is revoked.', TOKEN_EXAMPLE.id),
  },
  enrolAgent: {
    tag: 'Agents',
    description: 'Agents call this operation themselves. It uses up the enrolment token.',
    body: EnrolAgentDto,
    example: {
      body: {
        token: TOKEN_TEXT,
        name: 'eu-1',
        nats_public_key: 'UDSDANYJTHNO3CHFHDNKYOFBAWRIT6WLOJCLVWPKNUQC7E7VABLAQDFT',
        sealing_public_key: 'BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=',
      },
    },
    response: {
      description: 'The agent is enrolled.',
      data: CredentialsResponse,
      example: CREDENTIALS_EXAMPLE,
    },
    refusals: ['unauthorized', 'conflict'],
  },
  renewAgent: {
    tag: 'Agents',
    description:
      "Agents call this operation themselves and sign the request with the agent's key. It also works after the credentials have expired. " +
      'The response is 403 if the agent is revoked, and 409 if another process of the agent has started since. It is 401 if the signature or the clock of the agent is wrong. A genuine request counts for the agent only. Any other request counts for the address of the client.',
    body: RenewAgentDto,
    example: {
      body: {
        agent_id: AGENT_EXAMPLE.id,
        issued_at: '2026-11-21T09:30:00.000Z',
        nonce: 'pL9sD4fR7wY3bN6hG1jA8e',
        instance: 'kV5nC8xW2qT7mZ4bR9yD1g',
        take_over: true,
        signature: `${'A'.repeat(86)}==`,
      },
    },
    response: {
      description: 'The new credentials.',
      data: CredentialsResponse,
      example: CREDENTIALS_EXAMPLE,
    },
    refusals: ['unauthorized', 'forbidden', 'conflict'],
  },
} satisfies Record<string, OperationDescription>;
