import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { cleanUpOnExit, DATABASES_ROLE } from '@understudy/local-system';
import { stackDown, stackUp, type StackInfo } from '@understudy/stack';
import { asLeastPrivileged } from '@understudy/testing';
import { Client } from 'pg';

import { expectOutput, type GuideBlock, guideBlocks } from './guide-blocks.js';
import { GuideShell } from './guide-shell.js';

const ROOT = join(import.meta.dirname, '../../../..');
/** Pages that install a release. tools/release/test/e2e runs them in networks and on machines of its own. */
const WITH_A_RELEASE = ['evaluate.md', 'install.md', 'uninstall.md'];
/** The first page of a user, and one for the API and the agent. `npm test` runs these, and a release the others. */
export const SHORT_LIST: readonly string[] = ['README.md', 'docs/guides/custom-models.md'];
export const OTHER_GUIDES: readonly string[] = readdirSync(join(ROOT, 'docs/guides'))
  .filter((name) => !WITH_A_RELEASE.includes(name))
  .map((name) => `docs/guides/${name}`)
  .filter((page) => !SHORT_LIST.includes(page));

const SHOP = `
  CREATE TABLE customers (
    id integer PRIMARY KEY, first_name text NOT NULL, last_name text NOT NULL, email text UNIQUE, phone text,
    company text, created_at timestamptz NOT NULL
  );
  CREATE TABLE orders (
    id integer PRIMARY KEY, customer_id integer NOT NULL REFERENCES customers, total numeric(10, 2) NOT NULL, note text
  );
  INSERT INTO customers
    SELECT i, (ARRAY['Tyler', 'Cheryl', 'Samuel', 'Ashley', 'Brandon', 'Kimberly', 'Justin', 'Heather'])[1 + i % 8],
      (ARRAY['Young', 'Turner', 'Baker', 'Evans', 'Adams', 'Moore', 'Hughes'])[1 + i % 7],
      'customer' || i || '@mail.example', '+1 415 555 ' || lpad(i::text, 4, '0'), 'Company ' || i,
      timestamptz '2026-01-01 00:00Z' + i * interval '1 hour'
    FROM generate_series(1, 300) AS i;
  INSERT INTO orders SELECT i, 1 + i % 300, i * 1.5, 'Call +1 415 555 ' || lpad(i::text, 4, '0') FROM generate_series(1, 900) AS i;
`;

/** Defines a test for each page, which runs all commands of the page on a stack. */
export function describeGuides(pages: readonly string[]): void {
  let dataDir: string;
  let callOff: () => void;
  let stack: StackInfo;

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'understudy-guides-'));
    callOff = cleanUpOnExit([], [dataDir]);
    stack = await stackUp({ dataDir });
  });
  afterAll(async () => {
    await stackDown({ dataDir });
    rmSync(dataDir, { recursive: true, force: true });
    callOff();
  });

  it.each(pages)('[4.3/10] shows commands in %s that run and print the shown output', async (page) => {
    await recreateShop(stack);
    const shell = new GuideShell(await settings(stack), { stackFolder: dataDir });
    try {
      for (const block of blocksOf(page)) {
        if (block.kind === 'file') shell.save(block.name, block.text);
        else if (block.kind === 'server') await shell.serve(block.text);
        else {
          const printed = await shell.run(block.text);
          if (!block.output) expect(printed).not.toMatch(/^\{"error":/m);
          if (block.output) expectOutput(block.text, printed, block.output);
        }
      }
    } finally {
      await shell.close();
    }
  });
}

/** Returns the blocks of a page. @throws Error for a block without a language */
export function blocksOf(page: string): readonly GuideBlock[] {
  return guideBlocks(readFileSync(join(ROOT, page), 'utf8'));
}

/**
 * Returns a reader's settings: addresses, secrets and two databases, `shop` with rows and an empty `shop_staging`.
 * The URLs of databases have the roles that `understudy-agent grants` describes.
 */
async function settings(stack: StackInfo): Promise<Record<string, string>> {
  const at = (database: string) => `${stack.databases_admin_url}/${database}`;
  const restorer = { roles: ['restore'], objectOwners: [DATABASES_ROLE], isForNew: true } as const;
  const restorerUrl = new URL(await asLeastPrivileged(at('postgres'), restorer));
  return {
    API: stack.base_url,
    MOCK: stack.mock_url,
    TOKEN: stack.api_token,
    ORG: stack.org_id,
    OPS: stack.ops_url.replace(/\/ops$/, ''),
    OPS_PASSWORD: stack.ops_password,
    SHOP_SERVER: stack.databases_url.replace('postgresql://', '').replace(/:[^:@]+@/, ':${PGPASSWORD}@'),
    PGPASSWORD: new URL(stack.databases_url).password,
    SHOP_URL: await asLeastPrivileged(at('shop'), { roles: ['source', 'snapshot'] }),
    STAGING_URL: await asLeastPrivileged(at('shop_staging'), { roles: ['target'] }),
    ADMIN_URL: at('postgres'),
    ...{ REFRESHER_PASSWORD: 'refresher', BUILDER_PASSWORD: 'builder' },
    REVIEW_URL: Object.assign(restorerUrl, { pathname: '/shop_review' }).href,
    UNDERSTUDY_DATABASE_URL: stack.control_db_url,
    UNDERSTUDY_API_URL: stack.base_url,
    UNDERSTUDY_API_TOKEN: stack.api_token,
    UNDERSTUDY_CONTROL_URL: stack.base_url,
  };
}

async function recreateShop(stack: StackInfo): Promise<void> {
  const admin = new Client({ connectionString: `${stack.databases_admin_url}/postgres` });
  await admin.connect();
  for (const name of ['shop', 'shop_staging', 'shop_review']) {
    await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    if (name !== 'shop_review') await admin.query(`CREATE DATABASE ${name} OWNER ${DATABASES_ROLE}`);
  }
  await admin.end();
  const shop = new Client({ connectionString: `${stack.databases_url}/shop` });
  await shop.connect();
  await shop.query(SHOP);
  await shop.end();
}
