import { allows, credentialOf, isSamePrincipal, type Session } from './session.js';

const SESSION: Session = {
  id: 'ses_1',
  organization: { id: 'org_1', name: 'Acme' },
  member: { id: 'mem_1', email: 'ada@example.com' },
  role: 'member',
  scopes: null,
  signed_in_by: 'token',
  created_at: '2026-11-25T10:00:00.000Z',
  idle_ends_at: '2026-11-25T11:00:00.000Z',
  ends_at: '2026-11-25T22:00:00.000Z',
  now: '2026-11-25T10:00:00.000Z',
};

describe('allows', () => {
  it.each([
    ['viewer', true],
    ['member', true],
    ['admin', false],
    ['owner', false],
  ] as const)('compares the role member with the needed role %s', (role, expected) => {
    expect(allows(SESSION, { role, scope: 'agents:read' })).toBe(expected);
  });

  it.each([
    [['agents:read'], 'agents:read', true],
    [['agents:write'], 'agents:read', true],
    [['agents:read'], 'agents:write', false],
    [['jobs:write'], 'agents:read', false],
    [[], 'generate', false],
  ])('compares the scopes %j with the needed scope %s', (scopes, scope, expected) => {
    expect(allows({ ...SESSION, scopes }, { role: 'viewer', scope })).toBe(expected);
  });

  it('needs no scope where none is named', () => {
    expect(allows({ ...SESSION, scopes: [] }, { role: 'viewer' })).toBe(true);
  });
});

describe('credentialOf', () => {
  it.each([
    ['us_live_abc', { token: 'us_live_abc' }],
    [' us_live_abc\n', { token: 'us_live_abc' }],
    ['us_link_a-b_c', { link: 'us_link_a-b_c' }],
    [' https://understudy.example.com/dashboard/sign-in#link=us_link_a-b_c ', { link: 'us_link_a-b_c' }],
    [
      'https://understudy.example.com/dashboard/sign-in',
      { token: 'https://understudy.example.com/dashboard/sign-in' },
    ],
  ])('reads %j', (text, credential) => {
    expect(credentialOf(text)).toEqual(credential);
  });
});

describe('isSamePrincipal', () => {
  it('distinguishes members, organisations and tokens of an organisation', () => {
    expect(isSamePrincipal(SESSION, { ...SESSION, id: 'ses_2', role: 'owner' })).toBe(true);
    expect(isSamePrincipal(SESSION, { ...SESSION, member: null })).toBe(false);
    expect(isSamePrincipal(SESSION, { ...SESSION, member: { id: 'mem_2', email: 'a@b.c' } })).toBe(false);
    expect(isSamePrincipal(SESSION, { ...SESSION, organization: { id: 'org_2', name: 'Acme' } })).toBe(false);
    expect(isSamePrincipal({ ...SESSION, member: null }, { ...SESSION, member: null })).toBe(true);
  });
});
