import { ROLES, roleIncludes, type Role } from '../../../src/platform/http/pipeline/caller.js';
import type {
  Operation,
  ProtectedOperation,
  Resource,
} from '../../../src/platform/http/operations/operation.js';
import { OPERATIONS, type OperationId } from '../../../src/api-description/operations.js';
import { SCOPES } from '../../../src/platform/http/pipeline/scope.js';
import { pathOf, sampleBody, sampleFor, type Owner } from '../harness/sample-requests.js';
import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';

// The tests are generated from the table of operations, so a new operation is tested automatically.
const ROWS: readonly (Operation & { id: OperationId })[] = OPERATIONS;
const PROTECTED = ROWS.filter(
  (row): row is ProtectedOperation & { id: OperationId } => row.role !== 'public',
);
const byName = <T extends Operation>(rows: readonly T[]) =>
  rows.map((row) => [`${row.method} ${row.path}`, row] as const);

let plane: ControlPlane;
let ours: Owner;
let theirs: Owner;
const tokens = new Map<Role, string>();

beforeAll(async () => {
  plane = await startControlPlane();
  ours = { orgId: plane.orgId, token: plane.token };
  const orgId = await plane.addOrganization();
  theirs = { orgId, token: (await plane.addToken({ orgId })).token };
  for (const role of ROLES) tokens.set(role, (await plane.addToken({ role })).token);
});
afterAll(() => plane?.stop());

const UNKNOWN: Record<Resource, string> = {
  sync_job: 'job_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  sync_job_revert: 'job_01ARZ3NDEKTSV4RRFFQ69G5FAV/rvt_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  snapshot: 'snap_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  snapshot_restore: 'snap_01ARZ3NDEKTSV4RRFFQ69G5FAV/rst_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  agent: 'agt_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  enrolment_token: 'enr_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  token: 'tok_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  member: 'mem_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  webhook: 'wh_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  webhook_delivery: 'dlv_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  model: 'custom/unknown',
  generator: '@sample/people:unknown',
  mock_endpoint: 'ep_00000000000000000000000000',
};

const call = (row: Operation & { id: OperationId }, token: string | null, id = 'unknown') => {
  const body = sampleBody(row.id);
  return plane.request(pathOf(row, id), {
    method: row.method,
    token,
    ...(body ? { body } : {}),
  });
};

describe('roles', () => {
  it.each(byName(PROTECTED))('%s without a token returns 401', async (_, row) => {
    expect((await call(row, null)).status).toBe(401);
  });

  it.each(byName(PROTECTED))('[5/7] %s requires its role or a higher one', async (_, row) => {
    for (const role of ROLES) {
      const { status } = await call(row, tokens.get(role) ?? null);
      expect([role, status === 403]).toEqual([role, !roleIncludes(role, row.role)]);
    }
  });
});

describe('scopes', () => {
  const SCOPED = PROTECTED.flatMap((row) => (row.scope === null ? [] : [{ ...row, scope: row.scope }]));

  it.each(byName(SCOPED))('[5/8] %s requires its scope', async (_, row) => {
    const related = (scope: string) => scope === row.scope || scope === row.scope.replace(':read', ':write');
    const with_ = await plane.addToken({ scopes: [row.scope] });
    const without = await plane.addToken({ scopes: SCOPES.filter((scope) => !related(scope)) });
    expect((await call(row, with_.token)).status).not.toBe(403);
    const refused = await call(row, without.token);
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining(row.scope)]);
  });
});

describe('an operation without a scope', () => {
  const OPEN = PROTECTED.filter(({ scope }) => scope === null);

  it.each(byName(OPEN))('%s serves a token with any scope', async (_, row) => {
    for (const scope of SCOPES) {
      const { token } = await plane.addToken({ role: 'viewer', scopes: [scope] });
      expect([scope, (await call(row, token)).status]).toEqual([scope, row.status]);
    }
  });
});

describe('unknown parameters and fields', () => {
  const problem = (field: string) => ({
    error: expect.objectContaining({
      code: 'validation_error',
      details: [{ field, message: 'is not a known field' }],
    }),
  });

  it.each(byName(ROWS))('%s refuses an unknown query parameter by name', async (_, row) => {
    const response = await call({ ...row, path: `${row.path}?surprise=1` }, ours.token);
    expect([response.status, response.body]).toEqual([422, expect.objectContaining(problem('surprise'))]);
  });

  it.each(byName(ROWS.filter(({ id }) => sampleBody(id) !== undefined)))(
    '%s refuses an unknown field of its body by name',
    async (_, row) => {
      const response = await plane.request(pathOf(row, 'unknown'), {
        method: row.method,
        body: withSurprise(sampleBody(row.id)),
      });
      expect([response.status, response.body]).toEqual([422, expect.objectContaining(problem('surprise'))]);
    },
  );
});

/** Returns a copy of the body with an additional field that no operation accepts. */
function withSurprise(body: unknown): unknown {
  if (!(body instanceof FormData)) return { ...(body as object), surprise: 1 };
  const form = new FormData();
  for (const [name, value] of body) form.append(name, value);
  form.append('surprise', '1');
  return form;
}

describe('tenancy', () => {
  const withId = ROWS.filter((row) => row.resource !== undefined);

  it.each(byName(withId))(
    '%s returns 404 for an id of another organisation and has no effect',
    async (_, row) => {
      const id = await sampleFor(plane, ours, row);
      const foreign = await call(row, theirs.token, id);
      expect([foreign.status, foreign.body]).toEqual([
        404,
        expect.objectContaining({ error: expect.objectContaining({ code: 'not_found' }) }),
      ]);
      const unknown = await call(row, theirs.token, unknownFor(row));
      expect(unknown.body).toMatchObject({
        error: (foreign.body as unknown as { error: object }).error, // equal to the response for an unknown id
      });
      expect((await call(row, ours.token, id)).status).toBeLessThan(300);
    },
  );
});

function unknownFor({ resource, parts = {} }: Operation): string {
  const kind = Object.values(parts)[0] ?? resource;
  if (kind === undefined) throw new Error('no resource');
  return UNKNOWN[kind];
}
