import { exactFieldPath } from '@understudy/sync-job';
import fc from 'fast-check';

import type { AgentDatabase } from '../../../agents/agent-work/connections/agent-database.js';
import { acceptSyncJob } from '../../../data/compute/jobs/accept-sync-job.js';
import { toStoredRequest, toSyncJobDefinition, type DefinedJob } from './sync-job-definition.js';

const NOW = '2026-01-31T00:00:00.000Z';

/** Rules that are shown completely. */
const SHOWN: readonly object[] = [
  { preserve: true },
  { generator: 'template', pattern: 'user-{{uuid}}@example.com' },
  { generator: 'template', pattern: 'the "text" outside of {{uuid}} is < shown' },
  { generator: { type: 'svc', algorithm: 'uuid_v4' } },
  { type: 'svc', algorithm: 'int_between', params: { min: 1, max: 9 }, nullable: 0.5, consistent: true },
  { type: 'svc', algorithm: 'uuid_v4', transform: 'uppercase(value)', unique: true },
];

/** Rules that contain the literal `secret`, with the parts that are withheld. */
const WITHHELD: readonly [object, readonly string[]][] = [
  [{ type: 'list', values: ['secret', 'other'] }, ['']],
  [{ type: 'list', values: [1, 2], where: "item != 'secret'" }, ['']],
  [{ generator: { type: 'list', values: ['secret'] }, nullable: 0.1 }, ['.generator']],
  [{ generator: 'template', pattern: "{{replace(uuid, 'secret', '')}}" }, ['.pattern']],
  [{ generator: 'template', pattern: '{{1 == 2 ? uuid : "secret"}}' }, ['.pattern']],
  [{ type: 'svc', algorithm: 'uuid_v4', transform: "value + 'secret'" }, ['.transform']],
  [{ use: '@svc/core:list', params: { values: ['secret'] } }, ['']],
  [{ json: { 'a.b': { type: 'list', values: ['secret'] } } }, ['.json["a.b"]']],
];

type Request = Record<string, unknown> & { tables: object[] };

async function accept(body: unknown): Promise<DefinedJob> {
  const input = { body: Buffer.from(JSON.stringify(body)), now: new Date(NOW) };
  const library = { sources: { models: () => undefined }, usedModels: [], usedCompositions: [] };
  const accepted = await acceptSyncJob(input, library);
  const { name, seed = 0, referenceInstant, agent, source, target } = accepted;
  const definition = { ...accepted.definition, tables: accepted.definition.tables ?? [] };
  const stored = ({ kind, display }: { kind: string; display: string }): AgentDatabase =>
    kind === 'agent'
      ? ({ kind, name: display.replace('agent:', '') } as AgentDatabase)
      : { kind: 'sealed', by_agent: {} };
  return {
    ...{ name, seed, referenceInstant, definition },
    ...{ source: stored(source), target: stored(target), requires: { ...agent, opens: ['x'] } },
  };
}

/** Returns the paths of all nulls in a value. */
function nulls(value: unknown, path = ''): string[] {
  if (value === null) return [path];
  if (Array.isArray(value)) return value.flatMap((item, index) => nulls(item, exactFieldPath(path, index)));
  if (typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, part]) => nulls(part, exactFieldPath(path, key)));
}

/** Returns a copy in which each null that `isFilled` selects is replaced with the value of the request. */
function filled(
  shown: unknown,
  request: unknown,
  isFilled: (path: string) => boolean = () => true,
  path = '',
): unknown {
  if (shown === null) return isFilled(path) ? request : null;
  if (Array.isArray(shown))
    return shown.map((item, index) =>
      filled(item, (request as unknown[])[index], isFilled, exactFieldPath(path, index)),
    );
  if (typeof shown !== 'object') return shown;
  return Object.fromEntries(
    Object.entries(shown).map(([key, part]) => [
      key,
      filled(part, Reflect.get(request as object, key), isFilled, exactFieldPath(path, key)),
    ]),
  );
}

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const database = fc.record({
  type: fc.constant('postgresql'),
  connection_string: fc.constantFrom('agent:shop', 'postgresql://app:secret@db.internal/shop'),
});
const rule = fc.constantFrom(...SHOWN, ...WITHHELD.map(([written]) => written));
const columnName = fc.constantFrom('id', 'e-mail', 'Odd Name', '__proto__', 'ü', 'x'.repeat(63));
const table = (index: number) =>
  fc.record(
    {
      name: fc.constant(`t${index}`),
      columns: fc.array(fc.tuple(columnName, rule), { maxLength: 4 }).map((all) => Object.fromEntries(all)),
      unlisted_columns: fc.constantFrom('preserve', 'reject', 'null'),
      subset: fc
        .record({ where: fc.constant("name = 'secret'"), limit: fc.nat() }, { requiredKeys: [] })
        .filter((subset) => Object.keys(subset).length > 0),
    },
    { requiredKeys: ['name', 'columns'] },
  );
const request = fc
  .record({
    name: fc.string({ minLength: 1, maxLength: 200 }),
    ...{ source: database, target: database },
    agent: optional(fc.constantFrom({ name: 'a' }, { labels: ['eu', 'fast'] })),
    tables: fc
      .integer({ min: 1, max: 4 })
      .chain((n) => fc.tuple(...Array.from({ length: n }, (_, i) => table(i)))),
    unlisted_columns: fc.constantFrom('preserve', 'reject', 'null'),
    ...{
      unlisted_tables: optional(fc.constantFrom('reject', 'warn')),
      ignored_tables: optional(fc.constant([])),
    },
    refresh_materialized_views: optional(fc.boolean()),
    source_code: optional(fc.constant('omit')),
    orphans: optional(fc.constantFrom('skip', 'not_valid')),
    ...{ dry_run: fc.boolean(), seed: fc.maxSafeInteger(), now: fc.constant(NOW) },
  })
  .map((body) => JSON.parse(JSON.stringify(body)) as Request);

describe('the definition of a job', () => {
  it('equals the accepted request after its withheld parts are filled in', async () => {
    await fc.assert(
      fc.asyncProperty(request, async (body) => {
        const { definition, withheld } = toSyncJobDefinition(await accept(body));
        expect(filled(definition, body)).toEqual(body);
        expect([...withheld].sort()).toEqual(nulls(definition).sort());
        expect(JSON.stringify(definition)).not.toContain('secret');
      }),
    );
  });

  it('is stored with its withheld parts, so it is accepted again if it has no URL', async () => {
    await fc.assert(
      fc.asyncProperty(request, async (body) => {
        const first = await accept(body);
        const stored = toStoredRequest(first);
        const urls = [stored.source, stored.target].filter((one) => one.connection_string === null);
        expect(urls).toHaveLength(
          JSON.stringify([body['source'], body['target']]).split('secret').length - 1,
        );
        if (urls.length === 0) expect(await accept(stored)).toEqual(first);
        else await expect(accept(stored)).rejects.toThrow();
      }),
    );
  });

  it('is refused as long as one withheld part is missing', async () => {
    await fc.assert(
      fc.asyncProperty(request, async (body) => {
        const { definition, withheld } = toSyncJobDefinition(await accept(body));
        for (const missing of withheld)
          await expect(accept(filled(definition, body, (path) => path !== missing))).rejects.toThrow();
      }),
    );
  });

  it('of a job that replaces a database is accepted again, and refuses URLs', async () => {
    const tables = [
      { name: 'a', rows: 'none' },
      { name: 'b', rows: 'preserve', columns: ['id'] },
    ];
    const body = { ...withRule({}), replace: 'database', privileges: 'source', dry_run: false, tables };
    const first = await accept(body);
    expect(first.definition).toMatchObject({ replace: 'database', unlistedColumns: 'reject' });
    const { definition, withheld } = toSyncJobDefinition(first);
    expect(withheld).toEqual([]);
    expect((await accept(definition)).definition).toEqual(first.definition);
    const url = { type: 'postgresql', connection_string: 'postgresql://app@db/shop' };
    await expect(accept({ ...body, target: url })).rejects.toMatchObject({
      details: [{ field: 'target.connection_string' }],
    });
  });

  it.each(SHOWN)('shows the rule %j', async (shown) => {
    const { definition, withheld } = toSyncJobDefinition(await accept(withRule(shown)));
    expect([definition.tables[0]?.columns, withheld]).toEqual([{ c: shown }, []]);
  });

  it.each(WITHHELD)('withholds the literals of the rule %j', async (written, parts) => {
    const { withheld } = toSyncJobDefinition(await accept(withRule(written)));
    expect(withheld).toEqual(parts.map((part) => `tables[0].columns.c${part}`));
  });

  it('gives two paths in a document that differ only after 100 characters different paths', async () => {
    const paths = ['x', 'y'].map((end) => `${'a'.repeat(120)}.${end}`);
    const json = Object.fromEntries(paths.map((path) => [path, { type: 'list', values: ['secret'] }]));
    const { withheld } = toSyncJobDefinition(await accept(withRule({ json })));
    expect(new Set(withheld).size).toBe(2);
  });
});

function withRule(columnRule: object): Request {
  const agent = { type: 'postgresql', connection_string: 'agent:shop' };
  return { name: 'job', source: agent, target: agent, tables: [{ name: 't', columns: { c: columnRule } }] };
}
