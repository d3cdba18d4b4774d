import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { cleanUpOnExit, freePort } from '@understudy/local-system';
import { stackDown, stackUp, type StackInfo } from '@understudy/stack';
import { asSource, asTarget, describeWith, waitFor } from '@understudy/testing';
import { Client } from 'pg';

import { goModules } from './go-modules.js';
import { npm } from './npm.js';
import { packagist } from './packagist.js';
import { pypi } from './pypi.js';
import { Reader } from './reader.js';
import { readmeBlocks } from './readme-blocks.js';
import type { Ecosystem, Registry } from './registry.js';
import { ROOT } from './sources.js';

jest.setTimeout(300_000); // runs every command of a page in one test

const SHOP = `
  CREATE TABLE customers (id integer PRIMARY KEY, first_name text NOT NULL, last_name text NOT NULL, email text UNIQUE);
  INSERT INTO customers
    SELECT i, 'First ' || i, 'Last ' || i, 'customer' || i || '@mail.example' FROM generate_series(1, 300) AS i;
`;

let dataDir: string;
let callOff: () => void;
let stack: StackInfo;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'understudy-readmes-'));
  callOff = cleanUpOnExit([], [dataDir]);
  stack = await stackUp({ dataDir, settings: { UNDERSTUDY_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' } });
});
afterAll(async () => {
  await stackDown({ dataDir });
  rmSync(dataDir, { recursive: true, force: true });
  callOff();
});

for (const ecosystem of [npm, pypi, packagist, goModules]) {
  const { language, toolchain } = ecosystem;
  describeWith(`clients/${language}/README.md`, toolchain, () => {
    let folder: string;
    let registry: Registry;
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'understudy-readme-'));
      mkdirSync(join(folder, 'registry'));
      registry = await ecosystem.publish(join(folder, 'registry'));
    });
    afterAll(() => {
      registry?.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    it('shows commands, programs and examples that run in an empty folder with the packed package', async () => {
      await recreateShop();
      const port = await freePort();
      const webhook = await createWebhook(port);
      const reader = await Reader.create(language, {
        ...registry.settings,
        ...(await settings()),
        PORT: String(port),
        WEBHOOK_SECRET: webhook.secret,
      });
      const ran = new Set<string>();
      try {
        const page = readFileSync(join(ROOT, 'clients', language, 'README.md'), 'utf8');
        for (const block of readmeBlocks(page)) {
          ran.add(block.kind);
          if (block.kind === 'command') await reader.command(block.text);
          else if (block.kind === 'server') await deliver(reader, block.text, port, webhook.id);
          else if (block.kind === 'program')
            expect([block.line, await reader.program(block.name, block.text)]).toEqual([
              block.line,
              expect.stringMatching(/\S/),
            ]);
          else {
            reader.save(block.name, block.text);
            await reader.compile(block.name);
          }
        }
        expect([...ran].sort()).toEqual(['command', 'file', 'program', 'server']);
        expect(await maskedCustomers()).toEqual({ copied: 300, unmasked: 0 });
        for (const name of examplesOf(language))
          expect([name, await reader.program(basename(name), readFileSync(name, 'utf8'))]).toEqual([
            name,
            expect.stringMatching(/\S/),
          ]);
      } finally {
        await reader.close();
      }
    });
  });
}

/** Returns the programs in the folder `examples` of a client. Examples in Go are tests of its package instead. */
function examplesOf(language: Ecosystem['language']): string[] {
  const folder = join(ROOT, 'clients', language, 'examples');
  return language === 'go' ? [] : readdirSync(folder).map((name) => join(folder, name));
}

/** The environment variables that the README names, and those of the API tour. */
async function settings(): Promise<Record<string, string>> {
  return {
    UNDERSTUDY_API_URL: stack.base_url,
    UNDERSTUDY_API_TOKEN: stack.api_token,
    SHOP_URL: await asSource({ url: `${stack.databases_admin_url}/shop` }),
    STAGING_URL: await asTarget({ url: `${stack.databases_admin_url}/shop_staging` }),
  };
}

/**
 * Starts the README's receiver of webhooks, and sends it a forged request and a real event. It expects that
 * the receiver refuses the first one, and prints and accepts the second one.
 */
async function deliver(reader: Reader, lines: string, port: number, webhookId: string): Promise<void> {
  const receiver = reader.serve(lines);
  let output = '';
  for (const stream of [receiver.stdout, receiver.stderr])
    stream?.on('data', (chunk) => (output += String(chunk)));
  const forge = (): Promise<Response | undefined> =>
    fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{"event": "sync.completed"}' }).catch(
      () => undefined,
    );
  await waitFor('the receiver', async () => {
    if (receiver.exitCode !== null) throw new Error(`expected a running receiver; its output: ${output}`);
    return (await forge()) !== undefined;
  });
  expect((await forge())?.status).toBe(401);
  const sent = await call('POST', `/webhooks/${webhookId}/test`, {});
  await waitFor('the delivery', async () => {
    const { status } = await call('GET', `/webhooks/deliveries/${sent['id']}`);
    if (status === 'failed') throw new Error(`expected a delivery; the receiver printed: ${output}`);
    return status === 'delivered';
  });
  await waitFor('the receiver to print the event', async () =>
    [sent['event_id'], 'webhook.test'].every((text) => output.includes(String(text))),
  );
}

async function createWebhook(port: number): Promise<{ id: string; secret: string }> {
  const body = { url: `http://127.0.0.1:${port}/`, events: ['sync.completed', 'sync.failed'] };
  const { id = '', secret = '' } = await call('POST', '/webhooks', body);
  return { id, secret };
}

async function call(method: string, path: string, body?: object): Promise<Record<string, string>> {
  const response = await fetch(stack.base_url + path, {
    method,
    headers: { authorization: `Bearer ${stack.api_token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return (JSON.parse(text) as { data: Record<string, string> }).data;
}

async function recreateShop(): Promise<void> {
  await inDatabase('postgres', async (admin) => {
    for (const name of ['shop', 'shop_staging']) {
      await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      await admin.query(`CREATE DATABASE ${name}`);
    }
  });
  await inDatabase('shop', (shop) => shop.query(SHOP));
}

/** Counts the rows of the masked copy, and those that kept an original e-mail address or name. */
async function maskedCustomers(): Promise<{ copied: number; unmasked: number }> {
  const { rows } = await inDatabase('shop_staging', (staging) =>
    staging.query<{ copied: number; unmasked: number }>(`SELECT count(*)::int AS copied, count(*) FILTER (
      WHERE email LIKE '%@mail.example' OR first_name LIKE 'First %' OR last_name LIKE 'Last %')::int AS unmasked
      FROM customers`),
  );
  return rows[0] as { copied: number; unmasked: number };
}

async function inDatabase<T>(name: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: `${stack.databases_admin_url}/${name}` });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
