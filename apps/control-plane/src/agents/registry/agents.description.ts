import { MAX_AGENT_SLOTS } from '@understudy/sync-job';
import { Type } from 'typebox';

import { schemaOf, type OperationDescription } from '../../platform/http/operations/operation-description.js';
import {
  count,
  deletedResponse,
  id,
  instant,
  nullable,
  nullableId,
  oneOf,
  pageResponse,
} from '../../platform/http/operations/schemas.js';
import { PageQuery } from '../../platform/http/dto/page.dto.js';
import { NoBody } from '../../platform/http/dto/empty-request.dto.js';
import type { AgentResponse, CredentialsResponse } from './agent-responses.js';
import { AGENT_POLICY, POLICY_EXAMPLE } from './policy-response.js';
import type { RunningWork } from '../agent-work/leases/running-work.sql.js';
import { EnrolAgentDto, RenewAgentDto } from './agents.dto.js';
import type {
  EnrolmentTokenResponse,
  NewEnrolmentTokenResponse,
} from './enrolment/enrolment-token-response.js';
import { installLines, type InstallLines } from './enrolment/install-lines.js';

const RUNNING_WORK = schemaOf<RunningWork>('RunningWork')(
  Type.Object({
    type: oneOf(['sync_job', 'snapshot', 'restore'], 'Kind of the work.'),
    id: Type.String({ description: 'Id of the sync job, the snapshot or the restore.' }),
    leased_at: instant('Time at which the agent got the work.'),
    held_until: instant('Time until which no other agent gets the work. Each heartbeat extends it.'),
  }),
);

const AGENT_FIELDS = {
  id: id('agt', 'Id of the agent.'),
  name: Type.String(),
  status: oneOf(
    ['live', 'away', 'revoked'],
    '`live`: the agent sent a heartbeat within the last 15 seconds.',
  ),
  last_seen_at: nullable(
    Type.String({ format: 'date-time' }),
    'Time of the last heartbeat; null if there was none.',
  ),
  version: nullable(Type.String(), 'Version of the program; null before the first heartbeat.'),
  labels: Type.Array(Type.String(), {
    description: 'Labels by which jobs can select the agent, in addition to id and name.',
  }),
  databases: Type.Array(Type.String(), {
    description: "Databases in the agent's policy. Jobs refer to them as `agent:<name>`.",
  }),
  masking_key_fingerprint: nullable(
    Type.String(),
    'Keyed hash of the masking key, which does not reveal the key. Agents with the same fingerprint mask the same way. Null before the first heartbeat.',
  ),
  slots: nullable(
    Type.Integer({ minimum: 1, maximum: MAX_AGENT_SLOTS }),
    'Number of jobs, snapshots and restores that the agent runs concurrently. Null for agents that do not report it.',
  ),
  free_slots: count(
    'Number of slots that were free at the last heartbeat. 0 if the disk of the agent is almost full.',
  ),
  running: Type.Array(RUNNING_WORK, {
    maxItems: MAX_AGENT_SLOTS,
    description: `Work that the agent holds, the oldest first. At most ${MAX_AGENT_SLOTS} entries.`,
  }),
  snapshot_store: nullable(
    oneOf(['none', 'folder', 'bucket'], '`none`: the agent stores no snapshots.'),
    'Kind of storage for snapshots. Null before the first heartbeat, and for agents that do not report it.',
  ),
  policy: nullable(
    AGENT_POLICY,
    "Summary of the agent's policy file. It contains no pattern, URL or name. Null for agents that do not report it.",
  ),
  enrolled_at: instant('Time of the enrolment.'),
  last_started_at: nullable(
    Type.String({ format: 'date-time' }),
    'Time at which the current process of the agent started; null before the first start.',
  ),
  last_conflict_at: nullable(
    Type.String({ format: 'date-time' }),
    'Time at which the control plane last refused a process of this agent because a newer process uses its identity; null if that never happened. It means that the state folder was used twice, for example on a copied machine.',
  ),
};

const AGENT = schemaOf<AgentResponse>('Agent')(Type.Object(AGENT_FIELDS));

const REVOKED_AGENT = schemaOf<AgentResponse & { deleted: true }>('RevokedAgent')(
  Type.Object({ ...AGENT_FIELDS, deleted: Type.Literal(true) }),
);

const CREDENTIALS = schemaOf<CredentialsResponse>('AgentCredentials')(
  Type.Object({
    agent_id: id('agt', 'Id of the agent.'),
    organization_id: id('org', 'Id of the organisation that owns the agent.'),
    nats_urls: Type.Array(Type.String(), { description: 'URLs that the agent connects to.' }),
    nats_jwt: Type.String({ description: "User JWT of the agent's NKey." }),
    jwt_expires_at: instant('Time at which the JWT expires. Renew the JWT before this time.'),
  }),
);

const TOKEN_FIELDS = {
  id: id('enr', 'Id of the token. It is not a secret.'),
  status: oneOf(['unused', 'used', 'expired'], 'Only an `unused` token can enrol an agent.'),
  created_at: instant('Time of creation.'),
  expires_at: instant('Time at which the token expires.'),
  used_at: nullable(
    Type.String({ format: 'date-time' }),
    'Time at which the token was used; null while unused.',
  ),
  agent_id: nullableId('agt', 'Id of the agent that the token enrolled; null while unused.'),
};

const ENROLMENT_TOKEN = schemaOf<EnrolmentTokenResponse>('EnrolmentToken')(Type.Object(TOKEN_FIELDS));

const commands = (description: string) => Type.Array(Type.String(), { description });

const INSTALL_LINES = schemaOf<InstallLines>('InstallLines')(
  Type.Object(
    {
      npm: commands(
        'For npm and systemd. The folder contains `policy.yaml`. The second command asks for the enrolment token.',
      ),
      container: commands(
        'For Docker, or Podman with the name `docker`. The folder contains `policy.yaml`. The second command reads the enrolment token from standard input.',
      ),
      helm: commands(
        'For Helm. The folder contains `values.yaml`. The first command reads the enrolment token from standard input.',
      ),
    },
    {
      description:
        'Shell commands that install the agent from the files of the release, in their order. Stop at the first that fails. They contain no token.',
    },
  ),
);

const NEW_ENROLMENT_TOKEN = schemaOf<NewEnrolmentTokenResponse>('NewEnrolmentToken')(
  Type.Object({
    ...TOKEN_FIELDS,
    token: Type.String({ description: 'The enrolment token. It is shown only in this response.' }),
    install: INSTALL_LINES,
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
    response: pageResponse('A page of agents.', 'agents', AGENT, AGENT_EXAMPLE),
  },
  getAgent: { tag: 'Agents', response: { description: 'The agent.', data: AGENT, example: AGENT_EXAMPLE } },
  revokeAgent: {
    tag: 'Agents',
    description:
      'A revoked agent gets no further work and no further credentials. If the agent is already revoked, nothing changes.',
    response: {
      description: 'The agent is revoked.',
      data: REVOKED_AGENT,
      example: { ...AGENT_EXAMPLE, status: 'revoked', deleted: true },
    },
  },
  listEnrolmentTokens: {
    tag: 'Agents',
    description: 'Returns all tokens, including used and expired ones. The newest token comes first.',
    query: PageQuery,
    response: pageResponse('A page of enrolment tokens.', 'enrolment_tokens', ENROLMENT_TOKEN, TOKEN_EXAMPLE),
  },
  createEnrolmentToken: {
    tag: 'Agents',
    body: NoBody,
    response: {
      description: 'The token, including its text.',
      data: NEW_ENROLMENT_TOKEN,
      example: {
        ...TOKEN_EXAMPLE,
        token: TOKEN_TEXT,
        install: installLines('https://understudy.example.com'),
      },
    },
  },
  getEnrolmentToken: {
    tag: 'Agents',
    response: { description: 'The token.', data: ENROLMENT_TOKEN, example: TOKEN_EXAMPLE },
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
      data: CREDENTIALS,
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
    response: { description: 'The new credentials.', data: CREDENTIALS, example: CREDENTIALS_EXAMPLE },
    refusals: ['unauthorized', 'forbidden', 'conflict'],
  },
} satisfies Record<string, OperationDescription>;
