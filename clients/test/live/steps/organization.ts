import { ALL_PAGES, at, DELETED, filter, NOT_FOUND, PAGE, send, type Step } from '../step.js';
import { NUMBERS } from './generate.js';

const MEMBERS: readonly Step[] = [
  {
    call: 'whoami',
    title: 'returns the organisation and the token of the caller',
    response: {
      result: {
        role: 'owner',
        scopes: null,
        organization: { plan: 'business' },
        token: { id: expect.any(String) },
      },
    },
  },
  {
    call: 'organization.get',
    title: 'returns the organisation',
    response: { result: { plan: 'business', warnings: [] } },
  },
  {
    call: 'organization.usage',
    as: 'organization.usage of today',
    title: 'returns the usage of 30 days by default',
    response: { result: { last_day: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/) } },
  },
  {
    call: 'organization.usage',
    title: 'returns the usage of each day of a range',
    request: (seen) => {
      const today = seen.text('organization.usage of today', 'last_day');
      return { query: { first_day: today, last_day: today } };
    },
    response: { result: { days: [{ day: expect.any(String) }] } },
  },
  {
    call: 'organization.change',
    title: 'changes the plan',
    request: send({ plan: 'business' }),
    response: { result: { plan: 'business' } },
  },
  {
    call: 'members.invite',
    title: 'invites a member',
    request: send({ email: 'ada@example.com', role: 'viewer' }),
    response: { result: { email: 'ada@example.com', status: 'invited', name: null } },
  },
  {
    call: 'members.acceptInvitation',
    title: 'needs no token',
    request: (seen) => ({
      client: { without_token: true },
      body: { token: seen.text('members.invite', 'invitation_token'), name: 'Ada' },
    }),
    response: { result: { email: 'ada@example.com', name: 'Ada', status: 'active' } },
  },
  { call: 'members.list', title: PAGE, response: { result: { members: [{ name: 'Ada' }], total: 1 } } },
  { call: 'members.iterate', title: ALL_PAGES, response: { result: [{ name: 'Ada', role: 'viewer' }] } },
  {
    call: 'members.get',
    title: 'returns the member',
    request: at('members.invite'),
    response: { result: { status: 'active' } },
  },
  {
    call: 'members.change',
    title: 'changes the role',
    request: at('members.invite', { body: { role: 'member' } }),
    response: { result: { role: 'member', scopes: null } },
  },
  {
    call: 'members.remove',
    title: 'removes the member',
    request: at('members.invite'),
    response: DELETED,
  },
];

const TOKEN = { name: 'ci', token: expect.stringMatching(/^us_/) };
const TOKENS: readonly Step[] = [
  {
    call: 'tokens.create',
    title: 'creates a token',
    request: send({ name: 'ci', role: 'member', scopes: ['generate'] }),
    response: { result: { ...TOKEN, scopes: ['generate'] } },
  },
  {
    call: 'tokens.get',
    title: 'returns the token without its secret',
    request: at('tokens.create'),
    response: { result: { name: 'ci', needs_rotation: false } },
  },
  {
    call: 'tokens.list',
    title: 'is refused without the scope',
    request: (seen) => ({ client: { token: seen.text('tokens.create', 'token') } }),
    response: { error: { class: 'PermissionDeniedError', status: 403 } },
  },
  { call: 'tokens.list', title: PAGE, response: { result: { total: 2, page: 1, per_page: 20 } } },
  {
    call: 'tokens.iterate',
    title: ALL_PAGES,
    request: filter({ per_page: 1 }),
    response: { result: [{ name: 'ci', role: 'member' }, { role: 'owner' }] },
  },
  {
    call: 'tokens.rotate',
    title: 'returns a new secret',
    request: at('tokens.create', { body: { expires_in_days: 1 } }),
    response: { result: TOKEN },
  },
  {
    call: 'generate',
    title: 'is refused with a token that was rotated',
    request: (seen) => ({
      client: { token: seen.text('tokens.create', 'token') },
      ...{ schema: NUMBERS, count: 1 },
    }),
    response: { error: { class: 'AuthenticationError', status: 401 } },
  },
  {
    call: 'tokens.revoke',
    title: 'revokes the token',
    request: at('tokens.create'),
    response: DELETED,
  },
  {
    call: 'tokens.get',
    title: 'does not find a revoked token',
    request: at('tokens.create'),
    response: NOT_FOUND,
  },
];

/** The organisation, its members and its tokens. */
export const ORGANIZATION: readonly Step[] = [...MEMBERS, ...TOKENS];
