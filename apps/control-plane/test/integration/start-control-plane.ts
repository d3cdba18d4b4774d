import 'reflect-metadata';

import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createTestDatabase, startTestServices, type TestServices } from '@understudy/testing';
import { ulid } from 'ulid';

import { Configuration, type SyncJobsConfiguration } from '../../src/config/configuration.js';
import { createApp } from '../../src/create-app.js';
import type { Role } from '../../src/http/caller.js';
import { bootstrap } from '../../src/organization/bootstrap.js';
import { openDataSource } from '../../src/persistence/data-source.js';
import { migrate } from '../../src/persistence/migrate.js';
import { insertToken } from '../../src/tokens/insert-token.js';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // Tests read answers as clients do; a wrong path fails the expectation.
  readonly body: Readonly<Record<string, never>>;
  readonly text: string;
}

export interface RequestOptions {
  readonly method?: string;
  /** An object is sent as JSON, a string as it is. */
  readonly body?: unknown;
  readonly token?: string | null;
  readonly headers?: Record<string, string>;
}

export interface ControlPlane {
  readonly app: NestFastifyApplication;
  readonly services: TestServices;
  readonly orgId: string;
  readonly token: string;
  readonly url: string;
  request(path: string, options?: RequestOptions): Promise<Answer>;
  query(sql: string, params?: unknown[]): Promise<Record<string, unknown>[]>;
  /** Another organisation, or another role of the first one. */
  addToken(options: {
    role?: Role;
    orgId?: string;
    expiresInDays?: number;
  }): Promise<{ id: string; token: string }>;
  addOrganization(): Promise<string>;
  /** A row as enrolment leaves it; nothing runs behind it. */
  addAgent(options?: { orgId?: string; sealingKey?: Uint8Array }): Promise<string>;
  stop(): Promise<void>;
}

/** The real application on real services, each test file with its own. */
export async function startControlPlane(
  syncJobs: Partial<SyncJobsConfiguration> = {},
): Promise<ControlPlane> {
  const services = await startTestServices();
  const database = await createTestDatabase(services.postgresUrl);
  await migrate(database);
  const dataSource = await openDataSource(database);
  const { orgId, apiToken: token } = await bootstrap(dataSource, {
    name: 'Acme',
    plan: 'business',
    now: new Date(),
  });
  const app = await createApp(configurationOf(services, database.url, syncJobs));
  await app.listen(0, '127.0.0.1');
  await app.startAllMicroservices();
  const url = await app.getUrl();
  const query = async (sql: string, params?: unknown[]) => (await database.query(sql, params)).rows;
  return {
    app,
    services,
    orgId,
    token,
    url,
    query,
    request: (path, options = {}) => send(url + path, token, options),
    addToken: ({ role = 'owner', expiresInDays, ...rest }) =>
      insertToken(dataSource.manager, {
        organizationId: rest.orgId ?? orgId,
        name: 'test',
        role,
        now: new Date(),
        ...(expiresInDays === undefined ? {} : { expiresInDays }),
      }),
    addOrganization: async () => {
      const id = `org_${ulid()}`;
      await query('INSERT INTO organizations (id, name, plan) VALUES ($1, $1, $2)', [id, 'free']);
      return id;
    },
    addAgent: async (options = {}) => {
      const id = `agt_${ulid()}`;
      await query(
        `INSERT INTO agents (id, organization_id, name, nats_public_key, sealing_public_key) VALUES ($1, $2, 'a', $1, $3)`,
        [id, options.orgId ?? orgId, Buffer.from(options.sealingKey ?? new Uint8Array(32).fill(9))],
      );
      return id;
    },
    stop: async () => {
      await app.close();
      await dataSource.destroy();
      await database.drop().catch(() => undefined); // a test may have stopped the server
      await services.stop();
    },
  };
}

function configurationOf(
  { redisUrl, natsUrl, natsSeeds }: TestServices,
  databaseUrl: string,
  syncJobs: Partial<SyncJobsConfiguration>,
): Configuration {
  return new Configuration({
    http: { host: '127.0.0.1', port: 0, publicUrl: 'http://127.0.0.1:1' },
    database: { url: databaseUrl },
    redis: { url: redisUrl },
    nats: {
      url: natsUrl,
      publicUrl: natsUrl,
      operatorSeed: natsSeeds.operator,
      accountSeed: natsSeeds.account,
      agentAccountSeed: natsSeeds.agentAccount,
      systemAccountSeed: natsSeeds.systemAccount,
    },
    ops: { user: 'ops', password: 'ops-password' },
    syncJobs,
    logLevel: 'silent',
  });
}

async function send(url: string, ownToken: string, options: RequestOptions): Promise<Answer> {
  const { method = 'GET', body, token = ownToken, headers = {} } = options;
  const response = await fetch(url, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = (response.headers.get('content-type') ?? '').includes('json');
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : {} };
}
