import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { INestMicroservice } from '@nestjs/common';
import {
  createTestDatabase,
  startTestServices,
  waitFor,
  type TestDatabase,
  type TestServices,
} from '@understudy/testing';

import { AgentConfiguration } from '../../src/config/agent-configuration.js';
import { startAgent } from '../../src/start-agent.js';
import { TestControlPlane } from './link-control-plane.js';

// Uses a real nats-server, PostgreSQL and the agent's whole module. The control plane and the restores of an earlier
// process are simulated.
describe('an agent that starts with replaced databases', () => {
  const state = mkdtempSync(join(tmpdir(), 'agent-'));
  const records = join(state, 'snapshot-work');
  let services: TestServices;
  let plane: TestControlPlane;
  let admin: TestDatabase;
  let agent: INestMicroservice | undefined;
  beforeAll(async () => {
    services = await startTestServices({ nats: true, postgres: true });
    plane = await TestControlPlane.start(services);
    admin = await createTestDatabase(services.postgresUrl);
  });
  afterAll(async () => {
    await agent?.close();
    await plane?.stop();
    await admin?.drop();
    await services?.stop();
    rmSync(state, { recursive: true, force: true });
  });

  const exists = async (name: string) =>
    (await admin.query(`SELECT FROM pg_database WHERE datname = '${name}'`)).rows.length > 0;
  /** Creates a replaced database and its record, as an earlier process would have done. */
  const keep = async (restoreId: string, name: string, untilMs: number) => {
    await admin.query(`CREATE DATABASE ${name}`);
    const { rows } = await admin.query(`SELECT oid::text FROM pg_database WHERE datname = '${name}'`);
    const sealedTarget = JSON.stringify({ kind: 'agent', name: 'shop' });
    const record = { restoreId, epoch: 1, sealedTarget, name, oid: rows[0]?.['oid'], untilMs };
    mkdirSync(records, { recursive: true });
    writeFileSync(join(records, `${restoreId}-1.kept.json`), JSON.stringify(record));
  };

  it('drops the databases whose retention has ended and keeps the others', async () => {
    await keep('rst_over', 'shop_replaced_over_1', Date.now() - 1);
    await keep('rst_later', 'shop_replaced_later_1', Date.now() + 3_600_000);
    const policyFile = join(state, 'policy.yaml');
    writeFileSync(policyFile, `databases: { shop: { url: "${admin.url}", roles: [restore] } }`);
    agent = await startAgent(
      new AgentConfiguration({
        ...{ stateDir: state, policyFile, controlUrl: plane.url },
        ...{ enrolmentToken: 'one-time', logLevel: 'silent' },
      }),
      (error) => {
        throw error;
      },
    );
    await waitFor(
      'the record to be deleted',
      async () => !readdirSync(records).includes('rst_over-1.kept.json'),
    );
    expect(await exists('shop_replaced_over_1')).toBe(false);
    expect(await exists('shop_replaced_later_1')).toBe(true);
    expect(readdirSync(records)).toContain('rst_later-1.kept.json');
  });
});
