import { joinAsOwner } from '@understudy/local-system';

import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane();
});
afterAll(() => plane?.stop());

const membersOf = async (token: string) => {
  const { body } = await plane.request('/v1/org/members', { token });
  const { members } = (body as unknown as { data: { members: Record<string, unknown>[] } }).data;
  return members.map(({ email, role, status }) => [email, role, status]);
};
const OWNER = [['you@example.test', 'owner', 'active']];

describe('the start of a system on one machine', () => {
  it.each([0, 1, 2])(
    'makes the user an owner after %i earlier starts that only invited the user',
    async (n) => {
      const { token } = await plane.addToken({ orgId: await plane.addOrganization() });
      const system = { base_url: `${plane.url}/v1`, api_token: token };
      for (let start = 0; start < n; start++)
        await plane.request('/v1/org/members', {
          method: 'POST',
          token,
          body: { email: 'you@example.test', role: 'owner' },
        });
      await joinAsOwner(system);
      expect(await membersOf(token)).toEqual(OWNER);
      await joinAsOwner(system);
      expect(await membersOf(token)).toEqual(OWNER);
    },
  );
});
