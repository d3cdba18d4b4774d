import { Client } from 'pg';

import type { DashboardTest } from './dashboard-test.js';

/** The number of entries that are added to the audit log. */
export const AUDIT_ENTRIES = 2_000;

/** Names that a layout must survive: markup, right-to-left text, and a long word. */
export const HOSTILE_NAMES = ['<b onclick="x">bold</b>', 'مفتاح النسخ الاحتياطي', 'x'.repeat(100)] as const;

/** Adds members, keys, counts and audit entries, as an organisation has them after some months. */
export async function seedOrganization(test: DashboardTest): Promise<void> {
  const { id, databases } = test.organization;
  const ada = await invite(test, 'ada@example.com', 'admin');
  await test.call('POST', '/org/members/accept', { token: ada, name: 'Ada Lovelace' });
  const grace = await invite(test, 'grace@example.com', 'member');
  await test.call('POST', '/org/members/accept', { token: grace, name: HOSTILE_NAMES[1] });
  await invite(test, `${'very-long-name-'.repeat(4)}x@example.com`, 'viewer');
  await test.call('POST', '/tokens', { name: 'ci', role: 'member', scopes: ['jobs:write', 'models:read'] });
  for (const name of HOSTILE_NAMES) await test.call('POST', '/tokens', { name, role: 'viewer' });
  await seedUsageDays(test);
  const client = new Client({ connectionString: databases.control.url });
  await client.connect();
  try {
    await client.query(AUDIT, [id, AUDIT_ENTRIES]);
    await client.query(COUNTERS, [id]);
  } finally {
    await client.end();
  }
}

/** Adds the usage of the last 90 days. */
export async function seedUsageDays({ organization: { id, databases } }: DashboardTest): Promise<void> {
  await databases.control.query(DAYS, [id]);
}

async function invite(test: DashboardTest, email: string, role: string): Promise<string> {
  const invitation = await test.call<{ invitation_token: string }>('POST', '/org/members', { email, role });
  return invitation.invitation_token;
}

const AUDIT = `
  INSERT INTO audit_entries (id, organization_id, occurred_at, actor_type, actor_id, actor_member_id, action,
    target_type, target_id, request_id, details)
  SELECT 'aud_' || lpad(n::text, 26, '0'), $1, now() - n * interval '1 hour', 'command_line', NULL, NULL,
    (ARRAY['sync_job.created', 'sync_job.deleted', 'webhook.changed', 'agent.revoked'])[n % 4 + 1],
    (ARRAY['sync_job', 'sync_job', 'webhook', 'agent'])[n % 4 + 1], 'thing_' || n, 'req_' || n,
    jsonb_build_object('name', 'thing ' || n, 'tables', n % 40, 'labels', jsonb_build_array('eu', 'nightly'))
  FROM generate_series(1, $2::int) AS n`;

/** Weekends have a fifth of the calls of the greatest day. */
const DAYS = `
  INSERT INTO usage_days (organization_id, day, metric, used)
  SELECT $1, day, metric,
    round(size * CASE WHEN extract(isodow FROM day) > 5 THEN 0.2 ELSE 0.5 + (n * 7919 % 50) / 100.0 END)
  FROM generate_series(1, 90) AS n,
    LATERAL (SELECT (now() AT TIME ZONE 'UTC')::date - n AS day) AS days,
    (VALUES ('api_calls', 4000), ('sync_jobs', 12), ('mock_calls', 900)) AS metrics (metric, size)`;

const COUNTERS = `
  INSERT INTO usage_counters (organization_id, metric, period, used)
  VALUES ($1, 'endpoints', 'standing', 410), ($1, 'snapshots', 'standing', 500)
  ON CONFLICT (organization_id, metric, period) DO UPDATE SET used = EXCLUDED.used`;
