import { createUser } from '@nats-io/nkeys';

import { type RenewAgentDto, renewalMessage } from '../../../src/agents/registry/agents.dto.js';
import { API_DESCRIPTION } from '../../../src/api-description/openapi-document.js';
import { exampleRequest, type Operation } from '../../../src/platform/http/operations/operation.js';
import { BY_ID, OPERATIONS, type OperationId } from '../../../src/api-description/operations.js';
import { pointerTo, validatorAt } from '../harness/documented-responses.js';
import { modelForm } from '../harness/model-files.js';
import { pathOf, sampleFor, type Owner } from '../harness/sample-requests.js';
import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';

const ROWS: readonly (Operation & { id: OperationId })[] = OPERATIONS;
type Fields = Readonly<Record<string, unknown>>;

let plane: ControlPlane;
let owner: Owner;
beforeAll(async () => {
  plane = await startControlPlane();
  owner = { orgId: plane.orgId, token: plane.token };
});
afterAll(() => plane?.stop());

const data = <T>({ body }: { body: unknown }) => (body as { data: T }).data;

describe('GET /v1/openapi.json', () => {
  it('returns the document without a token', async () => {
    const response = await plane.request('/v1/openapi.json', { token: null });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'application/json; charset=utf-8',
    ]);
    expect(response.body).toEqual(JSON.parse(JSON.stringify(API_DESCRIPTION)));
  });

  it('returns 304 if the client already has the document', async () => {
    const etag = (await plane.request('/v1/openapi.json')).headers.get('etag') ?? '';
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const response = await plane.request('/v1/openapi.json', { headers: { 'if-none-match': known } });
      expect([known, response.status, response.text]).toEqual([known, 304, '']);
      expect(response.headers.get('etag')).toBe(etag);
    }
    const changed = await plane.request('/v1/openapi.json', { headers: { 'if-none-match': '"other"' } });
    expect(changed.status).toBe(200);
  });
});

describe('GET /docs', () => {
  it('returns a page that loads files only from this server', async () => {
    const page = await plane.request('/docs', { token: null });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    const addresses = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);
    expect(addresses).toHaveLength(5);
    for (const address of addresses) {
      const file = await plane.request(new URL(address, `${plane.url}/docs`).pathname, { token: null });
      expect([address, file.status]).toEqual([address, 200]);
      expect(file.headers.get('x-content-type-options') ?? 'nosniff').toBe('nosniff');
    }
  });

  it('serves only the files of the page', async () => {
    for (const path of ['/docs/package.json', '/docs/../package.json', '/docs/..%2fpackage.json', '/docs/'])
      expect([path, (await plane.request(path, { token: null })).status]).toEqual([path, 404]);
  });
});

describe('example responses', () => {
  const described = Object.entries(API_DESCRIPTION.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

  it.each(described.map((item) => [`${item.method} ${item.path}`, item] as const))(
    'of %s match the description',
    async (_, { path, method, operation }) => {
      for (const [status, response] of Object.entries(operation['responses'] as Record<string, Fields>)) {
        const content = response['content'] as Record<string, { example?: unknown }> | undefined;
        for (const [mediaType, { example }] of Object.entries(content ?? {})) {
          if (example === undefined) continue;
          const steps = ['paths', path, method, 'responses', status, 'content', mediaType, 'schema'];
          const validate = await validatorAt(pointerTo(steps));
          expect([status, mediaType, validate(example), validate.errors]).toEqual([
            status,
            mediaType,
            true,
            null,
          ]);
        }
      }
    },
  );

  it('of errors match the description', async () => {
    for (const [name, response] of Object.entries(
      API_DESCRIPTION.components['responses'] as Record<string, Fields>,
    )) {
      const { example } =
        (response['content'] as Record<string, { example?: unknown }>)['application/json'] ?? {};
      const steps = ['components', 'responses', name, 'content', 'application/json', 'schema'];
      const validate = await validatorAt(pointerTo(steps));
      expect([name, validate(example), validate.errors]).toEqual([name, true, null]);
    }
  });
});

describe('example requests', () => {
  // `request` compares the response with the description, so only the status is checked here.
  it.each(ROWS.map((row) => [`${row.method} ${row.path}`, row] as const))(
    'of %s return the documented status',
    async (_, row) => {
      const { query = {}, body } = exampleRequest(row);
      const search = new URLSearchParams(
        Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
      );
      const id = await sampleFor(plane, owner, row);
      const prepared = await PREPARED[row.id]?.(body ?? {});
      const sent = prepared ?? (row.takes ? modelForm(body) : body);
      const response = await plane.request(`${pathOf(row, id)}?${search}`, {
        method: row.method,
        ...(sent ? { body: sent } : {}),
        ...(row.role === 'public' ? { token: null } : {}),
      });
      expect([response.status, response.text]).toEqual([
        OTHER_STATUS[row.id] ?? row.status,
        expect.anything(),
      ]);
      if (row.location !== undefined) {
        const made = data<Record<string, string>>(response);
        const location = row.location.replace(/:(\w+)/g, (_, name: string) => made[name] ?? '');
        expect(response.headers.get('location')).toBe(location);
      }
    },
  );
});

const OTHER_STATUS: Partial<Record<OperationId, number>> = {
  deleteSyncJob: 202, // the job is pending
  fetchHostedModel: 401, // an example has no valid signature; hosted-models.release.spec.ts of the agent fetches one
};

/** Replaces the example secrets, which no server has created, by real ones. */
const PREPARED: Partial<Record<OperationId, (example: Fields) => Promise<Fields>>> = {
  acceptInvitation: async (example) => {
    const body = { email: 'invited@example.com', role: 'viewer' };
    const invited = await plane.request('/v1/org/members', { method: 'POST', body });
    return { ...example, token: data<{ invitation_token: string }>(invited).invitation_token };
  },
  enrolAgent: async (example) => ({ ...example, token: await enrolmentToken() }),
  renewAgent: async (example) => {
    const user = createUser();
    const body = {
      ...BY_ID.enrolAgent.example?.body,
      token: await enrolmentToken(),
      nats_public_key: user.getPublicKey(),
    };
    const enrolled = await plane.request('/v1/agents/enroll', { method: 'POST', token: null, body });
    const { agent_id } = data<{ agent_id: string }>(enrolled);
    const renewal = { ...example, agent_id, issued_at: new Date().toISOString() } as unknown as RenewAgentDto;
    const signature = user.sign(new TextEncoder().encode(renewalMessage(renewal)));
    return { ...renewal, signature: Buffer.from(signature).toString('base64') };
  },
};

async function enrolmentToken(): Promise<string> {
  const made = await plane.request('/v1/agents/enrolment-tokens', { method: 'POST' });
  return data<{ token: string }>(made).token;
}
