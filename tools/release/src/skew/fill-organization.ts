import { readFileSync } from 'node:fs';

import type { CreateSyncJobRequest, SyncJob, Understudy, WebhookWithSecret } from '@understudy/client';
import {
  copiedCustomers,
  CUSTOMERS,
  restoredCustomers,
  waitFor,
  type LiveDatabases,
} from '@understudy/testing';

const NUMBERS = { generators: { n: { type: 'svc', algorithm: 'sequence' } }, output: ['n'] };
const MASKED_EMAIL = /^[0-9a-f-]{36}@example\.test$/;

/** Returns the request for a masked copy of the whole shop. */
export function maskedCopy(name: string): CreateSyncJobRequest {
  return {
    name,
    source: { type: 'postgresql', connection_string: 'agent:shop' },
    target: { type: 'postgresql', connection_string: 'agent:copy' },
    tables: [
      {
        name: 'customers',
        columns: { email: { generator: 'template', pattern: '{{uuid}}@example.test' } },
      },
      { name: 'stock', columns: {} },
    ],
  };
}

/**
 * Stores at least one object of each kind through the API.
 * @returns the webhook, with its secret
 * @param model the path of a model file
 * @param receiver the URL of the webhook
 */
export async function fillOrganization(
  client: Understudy,
  databases: LiveDatabases,
  { model, receiver }: { readonly model: string; readonly receiver: string },
): Promise<WebhookWithSecret> {
  const webhook = await client.webhooks.create({
    url: receiver,
    events: ['sync.completed', 'snapshot.restored'],
  });
  await client.members.invite({ email: 'ada@example.com', role: 'viewer' });
  await client.tokens.create({ name: 'ci', role: 'member', scopes: ['generate'] });
  await client.enrolmentTokens.create();
  await client.models.upload({ file: readFileSync(model), name: 'Names', id: 'names' });
  await client.generators.register({ name: '@acme/people:greeting', version: '1.2.3', body: 'Hello' });
  await client.mockEndpoints.create({
    path: '/api/numbers',
    method: 'GET',
    schema: NUMBERS,
    response: { count: 2, wrapper: { data: '{{records}}' } },
  });
  await copySnapshotRestore(client, databases, 'first');
  return webhook;
}

/** Copies and masks the shop, takes a snapshot of it and restores that. @throws Error if a result is wrong */
export async function copySnapshotRestore(
  client: Understudy,
  databases: LiveDatabases,
  name: string,
): Promise<void> {
  const { id } = await client.jobs.create(maskedCopy(name));
  await checkCopy(await client.jobs.wait(id), databases);
  const snapshot = await client.snapshots.create({ name, database: 'agent:shop', expires_in_days: 7 });
  await waitFor(`the snapshot ${name}`, async () => {
    const { status, error } = await client.snapshots.get(snapshot.id);
    if (status !== 'ready' && status !== 'creating')
      throw new Error(`the snapshot is ${status}: ${error?.code}`);
    return status === 'ready';
  });
  await restore(client, databases, snapshot.id);
}

/** Runs a dry run and a job that copies a subset. @throws Error if either of them copied more rows than it may */
export async function copyRestricted(client: Understudy, databases: LiveDatabases): Promise<void> {
  const request = maskedCopy('restricted');
  const customers = request.tables.filter(({ name }) => name === 'customers');
  const before = await copiedCustomers(databases);
  await complete(client, { ...request, dry_run: true });
  if (JSON.stringify(await copiedCustomers(databases)) !== JSON.stringify(before))
    throw new Error('expected a dry run to leave the target as it was, but its rows have changed');
  const subset = { limit: 3 };
  await complete(client, { ...request, tables: customers.map((table) => ({ ...table, subset })) });
  const { length } = await copiedCustomers(databases);
  if (length !== subset.limit) throw new Error(`expected a subset of 3 customers, found ${length}`);
}

async function complete(client: Understudy, request: CreateSyncJobRequest): Promise<void> {
  await client.jobs.wait((await client.jobs.create(request)).id);
}

/** Restores a snapshot of the shop. @throws Error if the restored rows are not the original ones */
export async function restore(client: Understudy, databases: LiveDatabases, snapshot: string): Promise<void> {
  const { restore_id: id } = await client.snapshots.restore(snapshot, {
    target_database: 'agent:review',
    overwrite: true,
  });
  await waitFor('the end of a restore', async () => {
    const { status, error } = await client.snapshots.getRestore(snapshot, id);
    if (status === 'failed') throw new Error(`the restore failed: ${error?.code}`);
    return status === 'completed';
  });
  const rows = await restoredCustomers(databases);
  if (rows.length !== CUSTOMERS || rows.some(({ id, email }) => email !== `customer${id}@mail.example`))
    throw new Error(`expected the ${CUSTOMERS} original customers in the restored database, found others`);
}

/** @throws Error if a job did not complete, or the target is not a masked copy of the shop */
export async function checkCopy(job: SyncJob, databases: LiveDatabases): Promise<void> {
  if (job.status !== 'completed' || job.verification?.ok !== true)
    throw new Error(`expected a completed and verified job, got ${job.status}`);
  const rows = await copiedCustomers(databases);
  const masked = rows.filter(
    ({ id, name, email }) => name === `Customer ${id}` && MASKED_EMAIL.test(String(email)),
  );
  if (rows.length !== CUSTOMERS || masked.length !== CUSTOMERS)
    throw new Error(
      `expected ${CUSTOMERS} masked customers in the target, found ${masked.length} of ${rows.length}`,
    );
  const stock = await databases.copy.query('SELECT id FROM stock');
  if (stock.rows.length !== 10) throw new Error(`expected 10 rows of stock, found ${stock.rows.length}`);
}
