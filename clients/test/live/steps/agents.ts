import { ALL_PAGES, at, DELETED, filter, PAGE, type Seen, type Step, type StepRequest } from '../step.js';

const theAgent = (seen: Seen): StepRequest => ({ path: [seen.text('agents.list', 'agents.0.id')] });

/** Agents and the tokens that enrol them. */
export const AGENTS: readonly Step[] = [
  {
    call: 'agents.list',
    title: PAGE,
    response: {
      result: { agents: [{ name: 'eu-1', databases: ['copy', 'review', 'shop', 'staging'] }], total: 1 },
    },
  },
  {
    call: 'agents.iterate',
    title: ALL_PAGES,
    response: { result: [{ status: 'live', last_conflict_at: null }] },
  },
  {
    call: 'agents.get',
    title: 'returns the agent',
    request: theAgent,
    response: {
      result: {
        ...{ name: 'eu-1', labels: [], snapshot_store: 'folder' },
        policy: { report_names: true, urls: { total: 0 } },
      },
    },
  },
  {
    call: 'agents.listModels',
    title: PAGE,
    request: theAgent,
    response: { result: { models: [], total: 0 } },
  },
  { call: 'agents.iterateModels', title: ALL_PAGES, request: theAgent, response: { result: [] } },
  {
    call: 'enrolmentTokens.create',
    title: 'creates a token',
    response: {
      result: {
        ...{ status: 'unused', used_at: null, token: expect.stringMatching(/^us_enrol_/) },
        install: {
          npm: expect.arrayContaining(['sudo systemctl enable --now understudy-agent']),
          container: expect.any(Array),
          helm: expect.any(Array),
        },
      },
    },
  },
  {
    call: 'enrolmentTokens.list',
    title: PAGE,
    response: { result: { enrolment_tokens: [{ status: 'unused' }, { status: 'used' }], total: 2 } },
  },
  {
    call: 'enrolmentTokens.iterate',
    title: ALL_PAGES,
    request: filter({ per_page: 1 }),
    response: { result: [{ status: 'unused' }, { status: 'used' }] },
  },
  {
    call: 'enrolmentTokens.get',
    title: 'returns the token without its secret',
    request: at('enrolmentTokens.create'),
    response: { result: { status: 'unused', agent_id: null } },
  },
  {
    call: 'enrolmentTokens.revoke',
    title: 'revokes the token',
    request: at('enrolmentTokens.create'),
    response: DELETED,
  },
];

/** The last calls for an agent that is lost. */
export const LOST_AGENT: readonly Step[] = [
  {
    call: 'agents.revoke',
    title: 'revokes the agent',
    request: theAgent,
    response: { result: { name: 'eu-1', status: 'revoked', deleted: true } },
  },
];
