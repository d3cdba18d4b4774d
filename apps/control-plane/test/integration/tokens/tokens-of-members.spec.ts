import type { Role } from '../../../src/platform/http/pipeline/caller.js';
import { startControlPlane, type ApiResponse, type ControlPlane } from '../harness/start-control-plane.js';

interface Made {
  readonly id: string;
  readonly token?: string;
  readonly needs_rotation?: boolean;
  readonly api_token: string;
  readonly api_token_id: string;
  readonly invitation_token: string;
}

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane();
});
afterAll(() => plane?.stop());

const dataOf = ({ body }: ApiResponse) => (body as unknown as { data: Made }).data;
const post = (path: string, token: string | null = plane.token, body?: unknown) =>
  plane.request(path, { method: 'POST', token, ...(body === undefined ? {} : { body }) });
const invite = async (role: Role, token = plane.token) =>
  dataOf(await post('/v1/org/members', token, { email: `m${Math.random()}@example.com`, role }));
const accept = (invitation: Made) =>
  post('/v1/org/members/accept', null, { token: invitation.invitation_token });
const join = async (role: Role) => dataOf(await accept(await invite(role)));
const rotate = (id: string, token?: string) => post(`/v1/tokens/${id}/rotate`, token);
const works = async (token: string) => (await plane.request('/v1/org', { token })).status === 200;
const shown = async (id: string) => dataOf(await plane.request(`/v1/tokens/${id}`));
const remove = (id: string) => plane.request(`/v1/org/members/${id}`, { method: 'DELETE' });
const auditOf = async (id: string) => {
  const response = await plane.request(`/v1/audit-log?target_id=${id}`);
  const { data } = response.body as unknown as { data: { entries: { action: string }[] } };
  return data.entries.map(({ action }) => action);
};

describe('rotating a token of another member', () => {
  it('revokes the old text and shows the new one only to that member', async () => {
    const member = await join('admin');
    const spare = dataOf(await post('/v1/tokens', member.api_token, { name: 'spare', role: 'admin' }));
    const rotated = await rotate(member.api_token_id);
    expect([rotated.status, dataOf(rotated).needs_rotation, dataOf(rotated).token]).toEqual([
      200,
      true,
      undefined,
    ]);
    expect([await works(member.api_token), (await shown(member.api_token_id)).needs_rotation]).toEqual([
      false,
      true,
    ]);
    const own = dataOf(await rotate(member.api_token_id, spare.token));
    expect([own.needs_rotation, await works(own.token ?? '')]).toEqual([false, true]);
    expect((await shown(member.api_token_id)).needs_rotation).toBe(false);
  });

  it('is allowed for members of any role and needs no role for the caller’s own token', async () => {
    for (const role of ['viewer', 'member'] as const) {
      const { id, ...member } = await join(role);
      const spare = await plane.addToken({ role, memberId: id });
      expect(dataOf(await rotate(member.api_token_id)).token).toBeUndefined();
      const own = dataOf(await rotate(member.api_token_id, spare.token));
      expect([role, await works(own.token ?? '')]).toEqual([role, true]);
    }
  });

  it('is refused to members below admin, who also may not rotate tokens of the organisation', async () => {
    const [one, other] = [await join('member'), await join('viewer')];
    const ofOrganization = await plane.addToken({ role: 'viewer' });
    for (const id of [other.api_token_id, ofOrganization.id])
      expect((await rotate(id, one.api_token)).status).toBe(403);
    expect([await works(other.api_token), await works(ofOrganization.token)]).toEqual([true, true]);
  });

  it('returns the text of a token of the organisation to the caller', async () => {
    const member = await join('admin');
    const ofOrganization = await plane.addToken({ role: 'viewer' });
    const rotated = dataOf(await rotate(ofOrganization.id, member.api_token));
    expect([await works(ofOrganization.token), await works(rotated.token ?? '')]).toEqual([false, true]);
  });
});

describe('removing a member', () => {
  it('revokes the tokens of the organisation whose text the member received last', async () => {
    const member = await join('admin');
    const known = await plane.addToken({ role: 'viewer' });
    const replaced = await plane.addToken({ role: 'viewer' });
    const text = dataOf(await rotate(known.id, member.api_token)).token ?? '';
    await rotate(replaced.id, member.api_token);
    const later = dataOf(await rotate(replaced.id)).token ?? '';
    expect((await remove(member.id)).status).toBe(200);
    expect([await works(member.api_token), await works(text), await works(later)]).toEqual([
      false,
      false,
      true,
    ]);
    expect(await auditOf(known.id)).toContain('token.revoked');
  });

  it('withdraws the member’s open invitations and keeps the members who have joined', async () => {
    const member = await join('admin');
    const open = await invite('viewer', member.api_token);
    const joined = dataOf(await accept(await invite('viewer', member.api_token)));
    const elsewhere = await invite('viewer');
    await remove(member.id);
    expect((await accept(open)).status).toBe(401);
    expect([await works(joined.api_token), (await accept(elsewhere)).status]).toEqual([true, 200]);
    expect(await auditOf(open.id)).toEqual(['member.removed', 'member.invited']);
  });

  it('revokes the unused enrolment tokens that the member created', async () => {
    const member = await join('admin');
    const path = '/v1/agents/enrolment-tokens';
    const mine = dataOf(await post(path, member.api_token));
    const used = dataOf(await post(path, member.api_token));
    await plane.query('UPDATE enrolment_tokens SET used_at = now() WHERE id = $1', [used.id]);
    const other = dataOf(await post(path));
    await remove(member.id);
    const statuses = [mine, used, other].map(async ({ id }) => (await plane.request(`${path}/${id}`)).status);
    expect(await Promise.all(statuses)).toEqual([404, 200, 200]);
    expect(await auditOf(mine.id)).toEqual(['enrolment_token.revoked', 'enrolment_token.created']);
  });

  it('rolls back a request that the member is sending at the same time', async () => {
    const member = await join('admin');
    const path = '/v1/agents/enrolment-tokens';
    const making = Array.from({ length: 10 }, () => post(path, member.api_token));
    const inviting = Array.from({ length: 10 }, () =>
      post('/v1/org/members', member.api_token, { email: `m${Math.random()}@example.com`, role: 'viewer' }),
    );
    const removed = remove(member.id);
    const responses = await Promise.all([...making, ...inviting]);
    expect((await removed).status).toBe(200);
    const left = [
      ...(await plane.query('SELECT id FROM enrolment_tokens WHERE used_at IS NULL')),
      ...(await plane.query('SELECT id FROM members WHERE joined_at IS NULL')),
    ].map(({ id }) => id);
    for (const response of responses.filter(({ status }) => status === 201))
      expect(left).not.toContain(dataOf(response).id);
  });
});
