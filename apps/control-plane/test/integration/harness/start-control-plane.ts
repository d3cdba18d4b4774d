import 'reflect-metadata';

import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { AgentOffer } from '@understudy/agent-protocol';
import { writeExactJson } from '@understudy/expression';
import { createPreparedDatabase, sharedTestServices, type SharedTestServices } from '@understudy/testing';
import { ulid } from 'ulid';

import { COMMAND_LINE } from '../../../src/platform/audit-log/audit-entry.js';
import {
  Configuration,
  type ConfigurationValues,
  type DatabaseConfiguration,
} from '../../../src/platform/config/configuration.js';
import type { Plan } from '../../../src/platform/config/plans.js';
import { createApp } from '../../../src/create-app.js';
import type { Role } from '../../../src/platform/http/pipeline/caller.js';
import type { Scope } from '../../../src/platform/http/pipeline/scope.js';
import { OpsServer } from '../../../src/monitoring/ops-server.js';
import { bootstrap } from '../../../src/accounts/organization/bootstrap.js';
import { openDataSource } from '../../../src/platform/persistence/data-source.js';
import { migrate } from '../../../src/platform/persistence/migrate.js';
import { insertToken } from '../../../src/accounts/tokens/insert-token.js';
import { expectDocumented } from './documented-responses.js';
import { testOffer } from './test-offer.js';

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  // The type is loose, so that tests can read any field. A wrong path fails the expectation.
  readonly body: Readonly<Record<string, never>>;
  readonly text: string;
}

export interface RequestOptions {
  readonly method?: string;
  /** An object is sent as JSON. A string or a form is sent unchanged. */
  readonly body?: unknown;
  readonly token?: string | null;
  readonly headers?: Record<string, string>;
  /** The URL of the server that receives the request. Default: `url` of the control plane. */
  readonly at?: string;
}

export interface ControlPlane {
  readonly app: NestFastifyApplication;
  readonly services: SharedTestServices;
  readonly orgId: string;
  readonly token: string;
  readonly url: string;
  /** The URL of the ops listener. */
  readonly opsUrl: string;
  /**
   * Sends a request. Throws if the response does not match the description of the API, or if browsers may guess its
   * type.
   */
  request(path: string, options?: RequestOptions): Promise<ApiResponse>;
  query(sql: string, params?: unknown[]): Promise<Record<string, unknown>[]>;
  /** Creates a token, by default with the role owner in the first organisation. */
  addToken(options: {
    role?: Role;
    orgId?: string;
    scopes?: readonly Scope[];
    memberId?: string;
    expiresInDays?: number;
  }): Promise<{ id: string; token: string }>;
  /** Creates an organisation, by default on the plan with the widest limits. */
  addOrganization(plan?: Plan): Promise<string>;
  /** Inserts the database row of an enrolled agent. Starts no agent process. */
  addAgent(options?: {
    orgId?: string;
    sealingKey?: Uint8Array;
    name?: string;
    offer?: AgentOffer | null;
  }): Promise<string>;
  /**
   * Starts a second server on the same services.
   * @returns its URL and a function that stops it
   */
  startPeer(): Promise<{ readonly url: string; stop(): Promise<void> }>;
  stop(): Promise<void>;
}

/** The settings of a test that differ from the defaults. */
export interface Settings extends Omit<
  ConfigurationValues,
  'database' | 'redis' | 'nats' | 'outbound' | 'logLevel' | 'http' | 'ops'
> {
  readonly http?: Partial<Configuration['http']>;
  readonly ops?: Partial<Configuration['ops']>;
}

/** The `doNotFake` of fake timers if only `Date` shall have another time. */
export const ALL_BUT_DATE = [
  ...(['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const),
  ...(['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] as const),
];

export const OPS_PASSWORD = 'password-of-the-ops-page';

/**
 * Starts the real application with real services.
 * @param own services that `stop` stops. By default, PostgreSQL and Redis are those of the Jest worker
 */
export async function startControlPlane(
  settings: Settings = {},
  own?: SharedTestServices,
): Promise<ControlPlane> {
  const services = own ?? (await sharedTestServices());
  const database = await createPreparedDatabase(services.postgresUrl, 'migrated', migrate);
  const dataSource = await openDataSource(database);
  const { orgId, apiToken: token } = await bootstrap(dataSource, {
    name: 'Acme',
    plan: 'business',
    now: new Date(),
  });
  // A busy machine may need more than the default for one statement. Suites with servers of their own may stop them.
  const limit = own === undefined ? { statementTimeoutMs: 60_000 } : {};
  const start = async () => {
    const started = await createApp(configurationOf(services, { url: database.url, ...limit }, settings));
    await started.listen(0, '127.0.0.1');
    await started.startAllMicroservices();
    return started;
  };
  const app = await start();
  const url = await app.getUrl();
  const opsUrl = app.get(OpsServer, { strict: false }).url;
  const query = async (sql: string, params?: unknown[]) => (await database.query(sql, params)).rows;
  return {
    app,
    services,
    orgId,
    token,
    url,
    opsUrl,
    query,
    request: (path, options = {}) => send(options.at ?? url, path, token, options),
    addToken: ({ role = 'owner', orgId: organizationId = orgId, ...rest }) =>
      insertToken(dataSource.manager, {
        organizationId,
        name: 'test',
        isNumbered: true,
        role,
        now: new Date(),
        actor: COMMAND_LINE,
        requestId: null,
        ...rest,
      }),
    addOrganization: async (plan = 'business') => {
      const id = `org_${ulid()}`;
      await query('INSERT INTO organizations (id, name, plan) VALUES ($1, $1, $2)', [id, plan]);
      return id;
    },
    addAgent: async (options = {}) => {
      const id = `agt_${ulid()}`;
      await query(
        `INSERT INTO agents (id, organization_id, name, nats_public_key, sealing_public_key, offer) VALUES ($1, $2, $4, $1, $3, $5)`,
        [
          id,
          options.orgId ?? orgId,
          Buffer.from(options.sealingKey ?? new Uint8Array(32).fill(9)),
          options.name ?? 'a',
          options.offer === undefined ? testOffer() : options.offer,
        ],
      );
      return id;
    },
    startPeer: async () => {
      const peer = await start();
      return { url: await peer.getUrl(), stop: () => peer.close() };
    },
    stop: async () => {
      await app.close();
      await dataSource.destroy();
      await services.stop();
    },
  };
}

function configurationOf(
  { redisUrl, natsUrl, natsSeeds }: SharedTestServices,
  database: DatabaseConfiguration,
  settings: Settings,
): Configuration {
  return new Configuration({
    database,
    redis: { url: redisUrl },
    nats: {
      url: natsUrl,
      publicUrl: natsUrl,
      operatorSeed: natsSeeds.operator,
      accountSeed: natsSeeds.account,
      agentAccountSeed: natsSeeds.agentAccount,
      systemAccountSeed: natsSeeds.systemAccount,
    },
    ...settings,
    http: { host: '127.0.0.1', port: 0, publicUrl: 'http://127.0.0.1:1', ...settings.http },
    ops: { user: 'ops', password: OPS_PASSWORD, port: 0, ...settings.ops },
    // Most tests generate little data, and each thread adds half a second to the start. The long timeouts
    // allow for slow machines.
    generation: { threads: 1, waitMs: 600_000, wallMs: 600_000, ...settings.generation },
    // All tests send their requests from one address.
    rateLimits: { anonymousPerMinute: 100_000, ...settings.rateLimits },
    logLevel: 'silent',
  });
}

async function send(
  at: string,
  path: string,
  ownToken: string,
  options: RequestOptions,
): Promise<ApiResponse> {
  const { method = 'GET', body, token = ownToken, headers = {} } = options;
  const response = await fetch(at + path, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isSentAsItIs(body) ? body : writeExactJson(body) }),
  });
  const text = await response.text();
  if (response.headers.get('x-content-type-options') !== 'nosniff')
    throw new Error(`expected the header X-Content-Type-Options of ${method} ${path}`);
  await expectDocumented({ method, path, status: response.status, headers: response.headers, text });
  const isJson = (response.headers.get('content-type') ?? '').startsWith('application/json');
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : {},
  };
}

function isSentAsItIs(body: unknown): body is string | FormData {
  return typeof body === 'string' || body instanceof FormData;
}
