import { createUser } from '@nats-io/nkeys';
import { DataSource } from 'typeorm';

import { MAX_OPEN_INVITATIONS } from '../../../src/accounts/members/members.service.js';
import { revokeWhatMemberMade } from '../../../src/accounts/members/revoke-what-member-made.js';
import { KEPT_ENDED_TOKENS, MAX_TOKENS } from '../../../src/accounts/tokens/token-limit.js';
import { MAX_ENROLMENT_TOKENS } from '../../../src/agents/registry/enrolment/insert-enrolment-token.js';
import type { CallerRequest } from '../../../src/platform/http/pipeline/caller-request.js';
import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane();
});
afterAll(() => plane?.stop());

/** Returns a select list of `count` rows with the columns `id`, `secret` and `organization`. */
const rows = (prefix: string) => `
  SELECT $1 AS organization, n, '${prefix}_' || lpad($3::integer + n || '', 26, '0') AS id,
    sha256(convert_to('${prefix}' || $3::integer + n, 'UTF8')) AS secret
  FROM generate_series(1, $2::integer) AS n`;

/** Statements that insert things into an organisation. $1 = its id, $2 = count, $3 = number of the first one. */
const INSERT = {
  invitations: `
    INSERT INTO members (organization_id, id, invitation_hash, email, email_key, role, invited_at,
      invitation_expires_at)
    SELECT organization, id, secret, n || '@example.org', n || '@example.org', 'viewer', now(), now()
    FROM (${rows('mem')}) AS made`,
  enrolmentTokens: `
    INSERT INTO enrolment_tokens (organization_id, id, token_hash, expires_at)
    SELECT organization, id, secret, now() FROM (${rows('enr')}) AS made`,
  tokens: `
    INSERT INTO api_tokens (organization_id, id, token_hash, token_hint, name, role, expires_at)
    SELECT organization, id, secret, '', 'made ' || n, 'viewer', now() + interval '1 day'
    FROM (${rows('tok')}) AS made`,
};
let made = 0;
async function insert(statement: string, orgId: string, count: number): Promise<void> {
  await plane.query(statement, [orgId, count, made]);
  made += count;
}

async function organization() {
  const orgId = await plane.addOrganization();
  const { token } = await plane.addToken({ orgId });
  return { orgId, token };
}

describe('an organisation', () => {
  it.each([
    {
      things: 'open invitations',
      path: '/v1/org/members',
      body: (n: number) => ({ email: `new${n}@example.com`, role: 'viewer' }),
      statement: INSERT.invitations,
      limit: MAX_OPEN_INVITATIONS,
      existing: 0,
    },
    {
      things: 'unused enrolment tokens',
      path: '/v1/agents/enrolment-tokens',
      body: () => undefined,
      statement: INSERT.enrolmentTokens,
      limit: MAX_ENROLMENT_TOKENS,
      existing: 0,
    },
    {
      things: 'active API tokens',
      path: '/v1/tokens',
      body: (n: number) => ({ name: `new ${n}`, role: 'viewer' }),
      statement: INSERT.tokens,
      limit: MAX_TOKENS,
      existing: 1, // the token of the requests
    },
  ])('can have a limited number of $things', async ({ path, body, statement, limit, existing }) => {
    const { orgId, token } = await organization();
    await insert(statement, orgId, limit - existing - 2);
    const create = (n: number) => plane.request(path, { method: 'POST', token, body: body(n) });
    const parallel = await Promise.all([1, 2, 3, 4, 5].map(create));
    expect(parallel.map(({ status }) => status).sort()).toEqual([201, 201, 422, 422, 422]);
    const refused = parallel.find(({ status }) => status === 422);
    expect(refused?.body).toMatchObject({ error: { code: 'limit_exceeded' } });
    const created = parallel.find(({ status }) => status === 201)?.body['data'] as { id: string } | undefined;
    expect((await plane.request(`${path}/${created?.id}`, { method: 'DELETE', token })).status).toBe(200);
    expect([(await create(6)).status, (await create(7)).status]).toEqual([201, 422]);
  });

  it('keeps the newest revoked and expired API tokens only', async () => {
    const { orgId, token } = await organization();
    const oldest = await plane.addToken({ orgId });
    await plane.query("UPDATE api_tokens SET revoked_at = now() - interval '1 day' WHERE id = $1", [
      oldest.id,
    ]);
    await insert(INSERT.tokens, orgId, KEPT_ENDED_TOKENS - 1);
    await plane.query(
      `UPDATE api_tokens SET expires_at = now() - interval '1 hour' WHERE organization_id = $1 AND name LIKE 'made %'`,
      [orgId],
    );
    const ended = async () =>
      (
        await plane.query(
          `SELECT id FROM api_tokens WHERE organization_id = $1 AND least(revoked_at, expires_at) <= now()`,
          [orgId],
        )
      ).map(({ id }) => id);
    const { id } = await plane.addToken({ orgId });
    expect([(await ended()).length, await ended()]).toEqual([
      KEPT_ENDED_TOKENS,
      expect.arrayContaining([oldest.id]),
    ]);
    await plane.request(`/v1/tokens/${id}`, { method: 'DELETE', token });
    await plane.addToken({ orgId });
    expect([(await ended()).length, (await ended()).includes(oldest.id)]).toEqual([KEPT_ENDED_TOKENS, false]);
  });
});

describe('removing a member', () => {
  it('changes no members who have joined and no used enrolment tokens', async () => {
    const post = async <T>(path: string, token: string | null, body?: unknown) => {
      const response = await plane.request(path, { method: 'POST', token, ...(body ? { body } : {}) });
      expect(response.status).toBeLessThan(300);
      return response.body['data'] as T;
    };
    const join = async (token: string) => {
      const invitation = { email: `joined${(made += 1)}@example.com`, role: 'admin' };
      const invited = await post<{ invitation_token: string }>('/v1/org/members', token, invitation);
      return post<{ id: string; api_token: string }>('/v1/org/members/accept', null, {
        token: invited.invitation_token,
      });
    };
    const admin = await join(plane.token);
    await join(admin.api_token);
    const { token } = await post<{ token: string }>('/v1/agents/enrolment-tokens', admin.api_token);
    await post('/v1/agents/enroll', null, {
      token,
      name: 'one',
      nats_public_key: createUser().getPublicKey(),
      sealing_public_key: Buffer.alloc(32, 7).toString('base64'),
    });
    const references = await plane.query(
      `SELECT id FROM members WHERE invited_by_member_id = $1
       UNION ALL SELECT id FROM enrolment_tokens WHERE made_by_member_id = $1`,
      [admin.id],
    );
    expect(references).toEqual([]);
  });

  it('takes as many statements for a thousand things that the member made as for none', async () => {
    const { orgId } = await organization();
    const caller = { organizationId: orgId, tokenId: 'tok_0', memberId: null, sessionId: null };
    const request = { id: 'req_0', caller } as unknown as CallerRequest;
    const statements = (memberId: string) =>
      plane.app.get(DataSource).transaction(async (manager) => {
        let count = 0;
        const query = (text: string, values: unknown[]) => {
          count += 1;
          return manager.query(text, values);
        };
        await revokeWhatMemberMade({ query } as typeof manager, request, memberId, new Date());
        return count;
      });
    await insert(INSERT.invitations, orgId, 1_002);
    const members = await plane.query('SELECT id FROM members WHERE organization_id = $1 ORDER BY id', [
      orgId,
    ]);
    const [idle, busy, ...invited] = members.map(({ id }) => String(id));
    await plane.query('UPDATE members SET invited_by_member_id = $1 WHERE id = ANY ($2)', [busy, invited]);
    expect(await statements(String(busy))).toBe(await statements(String(idle)));
    const entries = await plane.query(
      `SELECT target_id FROM audit_entries WHERE organization_id = $1 AND action = 'member.removed'
         AND details ->> 'made_by_member_id' = $2 ORDER BY target_id`,
      [orgId, busy],
    );
    expect(entries.map((entry) => entry['target_id'])).toEqual(invited);
  });
});
