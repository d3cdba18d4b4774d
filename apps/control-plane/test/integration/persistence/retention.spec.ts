import { getDataSourceToken } from '@nestjs/typeorm';
import { waitFor } from '@understudy/testing';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { ulid } from 'ulid';

import { forgetSubject } from '../../../src/platform/audit-log/forget-subject.js';
import { IdempotencyKeysService } from '../../../src/platform/idempotency/idempotency-keys.service.js';
import { OutboxService } from '../../../src/platform/job-queue/outbox.service.js';
import { RetentionService } from '../../../src/retention/retention.service.js';
import { Browser, joinedMember } from '../harness/browser.js';
import { DeliveryCleanup } from '../../../src/webhooks/delivery/delivery-cleanup.js';
import { DeliveryStore } from '../../../src/webhooks/delivery/delivery-store.js';
import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';

const AUDIT_DAYS = 40;
const ENDED_DAYS = 7;
const STORE = '0123456789abcdef'.repeat(2);

let plane: ControlPlane;
beforeAll(async () => {
  // Deletes two rows at a time, and only if a test requests it.
  const retention = { auditDays: AUDIT_DAYS, endedDays: ENDED_DAYS, batch: 2, sweepMs: 3_600_000 };
  plane = await startControlPlane({ retention, webhooks: { sweepMs: 3_600_000 } });
});
afterAll(() => plane?.stop());

const sweep = () => plane.app.get(RetentionService, { strict: false }).sweep();
const call = async (method: string, path: string, body?: unknown, token?: string | null) => {
  const response = await plane.request(path, {
    method,
    ...(body === undefined ? {} : { body }),
    ...(token === undefined ? {} : { token }),
  });
  if (response.status >= 300) throw new Error(`${method} ${path} returned ${response.text}`);
  return (response.body as unknown as { data: Record<string, string> }).data;
};
const insertAudit = async (days: number) => {
  const id = `aud_${ulid()}`;
  await plane.query(
    `INSERT INTO audit_entries VALUES ($1, $2, now() - make_interval(days => $3), 'server', NULL, NULL, 'job.aged',
      'sync_job', 'job_x', NULL, '{}')`,
    [id, plane.orgId, days],
  );
  return id;
};
const idsOf = async (table: string, ids: readonly string[]) =>
  (await plane.query(`SELECT id FROM ${table} WHERE id = ANY($1) ORDER BY id`, [ids])).map(({ id }) => id);
const age = (table: string, column: string, id: string, days: number) =>
  plane.query(`UPDATE ${table} SET ${column} = now() - make_interval(days => $2) WHERE id = $1`, [id, days]);

describe('the audit log', () => {
  it('loses only the entries that are older than the retention period', async () => {
    const old: string[] = [];
    for (let i = 0; i < 5; i++) old.push(await insertAudit(AUDIT_DAYS + 1));
    const young = await insertAudit(AUDIT_DAYS - 1);
    const [before] = await plane.query('SELECT count(*)::int AS n FROM audit_entries');
    await sweep();
    const [after] = await plane.query('SELECT count(*)::int AS n FROM audit_entries');
    expect(await idsOf('audit_entries', [...old, young])).toEqual([young]);
    expect(Number(after?.['n'])).toBe(Number(before?.['n']) - old.length);
  });

  it('cannot be changed in any other way', async () => {
    const old = await insertAudit(AUDIT_DAYS + 10);
    const young = await insertAudit(29);
    const keeping = (days: number) => `SET LOCAL understudy.audit_keep_days = ${days}`;
    const remove = (id: string) => `DELETE FROM audit_entries WHERE id = '${id}'`;
    for (const statements of [
      [remove(old)],
      [keeping(AUDIT_DAYS), remove(young)],
      [keeping(29), remove(old)], // fewer days than the allowed minimum
      [keeping(0), remove(young)],
      [keeping(30), `UPDATE audit_entries SET action = 'x.y' WHERE id = '${old}'`],
      [keeping(30), 'TRUNCATE audit_entries'],
    ]) {
      const dataSource = plane.app.get<DataSource>(getDataSourceToken());
      const changed = dataSource.transaction(async (manager) => {
        for (const statement of statements) await manager.query(statement);
      });
      await expect(changed).rejects.toThrow('append-only');
    }
    expect(await idsOf('audit_entries', [old, young])).toEqual([old, young].sort());
  });

  it('stores no address itself and shows a member’s address until it is erased', async () => {
    const email = 'ada.lovelace@example.com';
    const { id = '', invitation_token: token } = await call('POST', '/v1/org/members', {
      email,
      role: 'viewer',
    });
    await call('POST', '/v1/org/members/accept', { token }, null);
    const shown = async () => {
      const { entries } = (await call('GET', `/v1/audit-log?target_id=${id}`)) as unknown as {
        entries: { action: string; details: Record<string, string> }[];
      };
      return entries.map(({ action, details }) => [action, details['email']]);
    };
    expect(await shown()).toEqual([
      ['member.joined', email],
      ['member.invited', email],
    ]);
    const { manager } = plane.app.get<DataSource>(getDataSourceToken());
    expect(await forgetSubject(manager, id, new Date())).toBe(false); // the person is still a member
    await call('DELETE', `/v1/org/members/${id}`);
    const entries = JSON.stringify(await plane.query('SELECT row_to_json(e)::text FROM audit_entries e'));
    expect(entries).not.toContain(email);
    expect(await forgetSubject(manager, id, new Date())).toBe(true);
    expect(await forgetSubject(manager, id, new Date())).toBe(false);
    expect(await shown()).toEqual([
      ['member.forgotten', undefined],
      ['member.removed', undefined],
      ['member.joined', undefined],
      ['member.invited', undefined],
    ]);
    const kept = await plane.query('SELECT row_to_json(s)::text FROM audit_subjects s');
    expect(JSON.stringify(kept)).not.toContain(email);
  });
});

describe('an ended record', () => {
  it('is deleted after the retention period: tokens and enrolment tokens', async () => {
    const tokens: string[] = [];
    for (let i = 0; i < 5; i++) tokens.push((await plane.addToken({ role: 'viewer' })).id);
    const [live = '', recent = '', ...old] = tokens;
    await age('api_tokens', 'revoked_at', recent, ENDED_DAYS - 1);
    for (const id of old) await age('api_tokens', 'revoked_at', id, ENDED_DAYS + 1);
    const expired = (await plane.addToken({ role: 'viewer' })).id;
    await age('api_tokens', 'expires_at', expired, ENDED_DAYS + 1);
    const enrolments: string[] = [];
    for (let i = 0; i < 2; i++)
      enrolments.push((await call('POST', '/v1/agents/enrolment-tokens'))['id'] ?? '');
    const [unused = '', spent = ''] = enrolments;
    await age('enrolment_tokens', 'expires_at', spent, ENDED_DAYS + 1);
    await sweep();
    expect(await idsOf('api_tokens', [...tokens, expired])).toEqual([live, recent].sort());
    expect(await idsOf('enrolment_tokens', enrolments)).toEqual([unused]);
  });

  it('is deleted when it has expired: sign-ins through OpenID Connect', async () => {
    const insert = (seconds: number) =>
      plane.query(
        `INSERT INTO oidc_sign_ins (secret_hash, provider_id, subject, expires_at)
         VALUES ($1, 'company', $2, now() + make_interval(secs => $3))`,
        [Buffer.alloc(32, String(seconds)), String(seconds), seconds],
      );
    for (const seconds of [-3, -2, -1, 600]) await insert(seconds);
    await sweep();
    expect(await plane.query('SELECT subject FROM oidc_sign_ins')).toEqual([{ subject: '600' }]);
  });

  it('is deleted after the retention period: sessions of the dashboard and sign-in links', async () => {
    const member = await joinedMember(plane);
    const [live, recent, old] = [0, ENDED_DAYS - 1, ENDED_DAYS + 1];
    const sessions: string[] = [];
    for (const days of [live, recent, old]) {
      const { body } = await new Browser(plane).signIn({ token: member.token });
      const { id } = (body as unknown as { data: { id: string } }).data;
      sessions.push(id);
      if (days > live) await age('dashboard_sessions', 'ends_at', id, days);
    }
    const links = [live, recent, old].map((days) => ({ id: `lnk_${ulid()}`, days }));
    for (const { id, days } of links)
      await plane.query(
        `INSERT INTO sign_in_links (id, organization_id, member_id, link_hash, created_at, expires_at)
         VALUES ($1, $2, $3, sha256($1::text::bytea), now(), now() - make_interval(days => $4))`,
        [id, plane.orgId, member.id, days],
      );
    await sweep();
    expect(await idsOf('dashboard_sessions', sessions)).toEqual(sessions.slice(0, 2).sort());
    const ids = links.map(({ id }) => id);
    expect(await idsOf('sign_in_links', ids)).toEqual(ids.slice(0, 2).sort());
  });

  it('is deleted after the retention period: tasks for agents that no longer exist, and snapshots', async () => {
    const [live, revoked] = [await plane.addAgent(), await plane.addAgent()];
    await plane.query(`UPDATE agents SET last_seen_at = now(), snapshot_store = $2 WHERE id = $1`, [
      live,
      STORE,
    ]);
    await plane.query(`UPDATE agents SET last_seen_at = now(), revoked_at = now() WHERE id = $1`, [revoked]);
    const erasures = await Promise.all(
      [
        [live, ENDED_DAYS + 1],
        [revoked, ENDED_DAYS + 1],
        [revoked, ENDED_DAYS - 1],
      ].map(async ([agentId, days]) => {
        const id = `ers_${ulid()}`;
        await plane.query(
          `INSERT INTO model_erasures VALUES ($1, $2, $3, 'private/x', now() - make_interval(days => $4))`,
          [id, plane.orgId, agentId, days],
        );
        return id;
      }),
    );
    const snapshot = async (state: string, days: number, store?: string) => {
      const id = `snap_${ulid()}`;
      await plane.query(
        `INSERT INTO snapshots (id, organization_id, name, database_display, database, asked_tables, tables, expires_at,
          made, status, created_at, started_at, completed_at, ${state})
         VALUES ($1, $2, 'old', 'shop', '{}', '[]', '[]', now(), '{}', 'completed', now(), now(), now(),
          now() - make_interval(days => $3))`,
        [id, plane.orgId, days],
      );
      if (store !== undefined)
        await plane.query(
          `INSERT INTO snapshot_deletions (id, organization_id, snapshot_id, store, before_epoch, requested_at)
           VALUES ($1, $2, $3, $4, 0, now() - make_interval(days => $5))`,
          [`del_${ulid()}`, plane.orgId, id, store, days],
        );
      return id;
    };
    const gone = [
      await snapshot('expired_at', ENDED_DAYS + 1),
      await snapshot('expired_at', ENDED_DAYS + 1, STORE.replaceAll('0', '1')),
      await snapshot('delete_requested_at', ENDED_DAYS + 1, STORE.replaceAll('0', '2')),
    ];
    const kept = [
      await snapshot('expired_at', ENDED_DAYS - 1),
      await snapshot('expired_at', ENDED_DAYS + 1, STORE), // an agent may still erase it
      await snapshot('delete_requested_at', ENDED_DAYS - 1, STORE.replaceAll('0', '2')),
    ];
    await sweep();
    expect(await idsOf('model_erasures', erasures)).toEqual([erasures[0], erasures[2]].sort());
    expect(await idsOf('snapshots', [...gone, ...kept])).toEqual([...kept].sort());
    const deletions = await plane.query('SELECT snapshot_id AS id FROM snapshot_deletions');
    expect(deletions.map(({ id }) => id).sort()).toEqual([kept[1], kept[2]].sort());
  });

  it('keeps only the parts that responses show: the definition of a job', async () => {
    const values = Array.from({ length: 2_000 }, (_, i) => `value ${i}`);
    const job = {
      name: 'large',
      source: { type: 'postgresql', connection_string: 'agent:a' },
      target: { type: 'postgresql', connection_string: 'agent:b' },
      tables: [
        {
          name: 'customers',
          columns: { city: { generator: { type: 'list', values } } },
          subset: { where: 'id < 100', limit: 5 },
        },
        { name: 'orders' },
      ],
      unlisted_columns: 'reject',
    };
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.push((await call('POST', '/v1/sync/jobs', job))['id'] ?? '');
    const [waiting = '', recent = '', old = ''] = ids;
    for (const [id, days] of [
      [recent, ENDED_DAYS - 1],
      [old, ENDED_DAYS + 1],
    ] as const)
      await plane.query(
        `UPDATE sync_jobs SET status = 'failed', error_code = 'cancelled', error_message = 'x',
          completed_at = now() - make_interval(days => $2) WHERE id = $1`,
        [id, days],
      );
    const shown = () => call('GET', `/v1/sync/jobs/${old}`);
    const before = await shown();
    await sweep();
    const sizes = await plane.query(
      'SELECT id, octet_length(definition::text) AS bytes FROM sync_jobs WHERE id = ANY($1)',
      [ids],
    );
    const bytesOf = (id: string) => Number(sizes.find((row) => row['id'] === id)?.['bytes']);
    expect(bytesOf(old)).toBeLessThan(1_000);
    expect(Math.min(bytesOf(waiting), bytesOf(recent))).toBeGreaterThan(20_000);
    expect(await shown()).toEqual(before);
    await sweep();
    expect(await shown()).toEqual(before);
  });
});

it('deletes the tables of an old job that was too large for one command, and keeps their names', async () => {
  const columns = { note: { generator: 'template', pattern: 'x'.repeat(4_000) } };
  const tables = Array.from({ length: 300 }, (_, index) => ({
    name: `t${index}`,
    columns,
    subset: { limit: index },
  }));
  const job = {
    name: 'large',
    source: { type: 'postgresql', connection_string: 'agent:a' },
    target: { type: 'postgresql', connection_string: 'agent:b' },
    tables,
  };
  const id = (await call('POST', '/v1/sync/jobs', job))['id'] ?? '';
  const count = async () =>
    (await plane.query('SELECT count(*)::integer AS n FROM sync_job_rules WHERE job_id = $1', [id]))[0];
  expect(await count()).toEqual({ n: 300 });
  await plane.query(
    `UPDATE sync_jobs SET status = 'failed', error_code = 'cancelled', error_message = 'x',
      completed_at = now() - make_interval(days => $2) WHERE id = $1`,
    [id, ENDED_DAYS + 1],
  );
  const before = await call('GET', `/v1/sync/jobs/${id}`);
  await sweep();
  expect(await count()).toEqual({ n: 0 });
  expect(await call('GET', `/v1/sync/jobs/${id}`)).toEqual(before);
});

describe('a large number of rows', () => {
  const ROWS = 2_500;
  /** Awaits the end of the rows. @returns the largest number of rows that one statement has changed */
  const mostAtOnce = async (table: string, condition: string) => {
    const spy = jest.spyOn(Client.prototype, 'query');
    try {
      await waitFor('the last row', async () => {
        const rows = await plane.query(`SELECT 1 FROM ${table} WHERE ${condition} LIMIT 1`);
        return rows.length === 0;
      });
      const results = spy.mock.results.map(({ value }) => value as Promise<{ rowCount: number | null }>);
      const counts = (await Promise.all(results)).map((result) => result?.rowCount ?? 0);
      return Math.max(...counts);
    } finally {
      spy.mockRestore();
    }
  };

  it('is changed by several statements, because one for all could exceed its time limit', async () => {
    const all = `FROM generate_series(1, ${ROWS}) AS i`;
    await plane.query(
      `INSERT INTO idempotency_keys (organization_id, operation, key_hash, fingerprint, holder, held_until, expires_at)
        SELECT '${plane.orgId}', 'POST /v1/x', sha256(i::text::bytea), sha256(''), 'h', now(), now() ${all}`,
    );
    const keys = mostAtOnce('idempotency_keys', 'expires_at <= now()');
    plane.app.get(IdempotencyKeysService, { strict: false }).wake();
    expect(await keys).toBe(1_000);

    await plane.query(
      `INSERT INTO outbox (topic, key, published_at) SELECT 'x', 'x' || i, now() - interval '2 days' ${all}`,
    );
    const outbox = mostAtOnce('outbox', `topic = 'x'`);
    plane.app.get(OutboxService, { strict: false }).wake();
    expect(await outbox).toBe(1_000);

    const { id } = (await call('POST', '/v1/webhooks', {
      url: 'https://example.com/',
      events: ['sync.completed'],
    })) as { id: string };
    const event = `evt_${ulid()}`;
    await plane.query(`INSERT INTO webhook_events VALUES ($1, $2, 'sync.completed', '{}', now())`, [
      event,
      plane.orgId,
    ]);
    await plane.query(
      `INSERT INTO webhook_deliveries (id, organization_id, endpoint_id, event_id, created_at, next_attempt_at)
        SELECT 'dlv_' || lpad(i::text, 26, '0'), $1, $2, $3, now(), now() + interval '1 day' ${all}`,
      [plane.orgId, id, event],
    );
    const cleanup = plane.app.get(DeliveryCleanup, { strict: false });
    const isPending = `event_id = '${event}' AND status = 'pending'`;
    const failed = mostAtOnce('webhook_deliveries', isPending);
    // A delivery that was pending when the webhook was disabled fails, even if the webhook is enabled too early.
    await call('PATCH', `/v1/webhooks/${id}`, { enabled: false });
    await call('PATCH', `/v1/webhooks/${id}`, { enabled: true });
    const [left] = await plane.query(`SELECT id FROM webhook_deliveries WHERE ${isPending} LIMIT 1`);
    const leftId = String(left?.['id']);
    await plane.query('UPDATE webhook_deliveries SET next_attempt_at = now() WHERE id = $1', [leftId]);
    expect(await plane.app.get(DeliveryStore, { strict: false }).claim(leftId, false)).toBeUndefined();
    const { id: newer } = await call('POST', `/v1/webhooks/${id}/test`);
    cleanup.wake();
    expect(await failed).toBe(1_000);
    await waitFor('the end of the plan', async () => {
      const rows = await plane.query('SELECT 1 FROM webhook_endpoints WHERE fails_through IS NOT NULL');
      return rows.length === 0;
    });
    expect((await call('GET', `/v1/webhooks/deliveries/${newer}`))['status']).not.toBe('failed');

    const deleted = mostAtOnce('webhook_deliveries', `endpoint_id = '${id}'`);
    await call('DELETE', `/v1/webhooks/${id}`);
    for (const path of [id, `${id}/deliveries`, `deliveries/${newer}`])
      expect([path, (await plane.request(`/v1/webhooks/${path}`)).status]).toEqual([path, 404]);
    expect((await plane.request('/v1/webhooks')).body).toMatchObject({ data: { webhooks: [], total: 0 } });
    expect(await deleted).toBe(1_000);
    await waitFor('the deletion of the webhook', async () => {
      const rows = await plane.query('SELECT 1 FROM webhook_endpoints WHERE id = $1', [id]);
      return rows.length === 0;
    });
  });
});
