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

// Real: nats-server, PostgreSQL, the agent's whole module. Not real: the control plane (a script), the restores of an earlier process.
describe('an agent that starts with databases to drop', () => {
  const state = mkdtempSync(join(tmpdir(), 'agent-'));
  const notes = join(state, 'snapshot-work');
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
  /** What an earlier process has kept. */
  const keep = async (restoreId: string, name: string, untilMs: number) => {
    await admin.query(`CREATE DATABASE ${name}`);
    const { rows } = await admin.query(`SELECT oid::text FROM pg_database WHERE datname = '${name}'`);
    const sealedTarget = JSON.stringify({ kind: 'agent', name: 'shop' });
    const note = { restoreId, epoch: 1, sealedTarget, name, oid: rows[0]?.['oid'], untilMs };
    mkdirSync(notes, { recursive: true });
    writeFileSync(join(notes, `${restoreId}-1.kept.json`), JSON.stringify(note));
  };

  it('drops those whose time is over, and keeps the others', async () => {
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
    await waitFor('the note to go', async () => !readdirSync(notes).includes('rst_over-1.kept.json'));
    expect(await exists('shop_replaced_over_1')).toBe(false);
    expect(await exists('shop_replaced_later_1')).toBe(true);
    expect(readdirSync(notes)).toContain('rst_later-1.kept.json');
  });
});
