import { writeExactJson } from '@understudy/expression';
import fc from 'fast-check';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type JobFileContext, parseJobFile } from './parse-job-file.js';

const folder = mkdtempSync(join(tmpdir(), 'understudy-job-file-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const CONTEXT: JobFileContext = {
  folder,
  environment: { TARGET_URL: 'postgresql://u:p@localhost/target', PASSWORD: 'can:ary/@#' },
  nowMs: Date.UTC(2026, 5, 5, 13),
};

const JOB = `{
  // the database to read
  "source": { "type": "postgresql", "connection_string": "postgresql://u:\${PASSWORD}@localhost:5433/source" },
  "target": { "url_env": "TARGET_URL" },
  "unlisted_columns": "reject",
  "tables": [
    {
      "name": "customers", /* the people */
      "columns": {
        "email": { "generator": "template", "pattern": "{{uuid}}@example.com" },
        "name": { "generator": "en_US/full_names" },
      },
      "subset": { "where": "id < 10 AND country = 'CZ'", "limit": 5 },
    },
  ],
}`;

/** Returns each problem as `line:column field: message`. */
async function mistakes(text: string, more: Partial<JobFileContext> = {}): Promise<string[]> {
  const parsed = await parseJobFile(text, { ...CONTEXT, ...more });
  if ('job' in parsed) return [];
  return parsed.problems.map(({ field, message, offset }) => {
    const before = text.slice(0, offset).split('\n');
    return `${before.length}:${(before.at(-1)?.length ?? 0) + 1} ${field}: ${message}`;
  });
}

const inTables = (tables: string) =>
  `{"source": {"url_env": "TARGET_URL"}, "target": {"url_env": "TARGET_URL"}, "tables": ${tables}}`;

describe('parseJobFile', () => {
  it('keeps the digits of all numbers in rules', async () => {
    const digits = fc.stringMatching(/^[1-9][0-9]{16,58}[1-9]$/);
    const longNumber = fc.oneof(
      digits,
      fc.tuple(digits, digits).map(([whole, fraction]) => `-${whole}.${fraction}`),
    );
    await fc.assert(
      fc.asyncProperty(longNumber, longNumber, async (first, second) => {
        const rule = `{"type":"list","values":[${first},{"deep":${second}}]}`;
        const parsed = await parseJobFile(JOB.replace('{ "generator": "en_US/full_names" }', rule), CONTEXT);
        const columns = 'job' in parsed ? parsed.job.request.tables[0]?.columns : parsed.problems;
        expect(writeExactJson(columns)).toContain(`"name":${rule}`);
      }),
    );
  });

  it('warns of each constraint that a rule ignores, with its position', async () => {
    const rule =
      '{"type": "model", "source": "en_US/words", "generation": {"mode": "poem"}, "constraints": {"max_length": 9}}';
    const parsed = await parseJobFile(inTables(`[{"name": "t", "columns": {"note": ${rule}}}]`), CONTEXT);
    expect('job' in parsed && parsed.warnings).toEqual([
      {
        field: 'tables[0].columns.note.constraints.max_length',
        message: expect.stringContaining('is not applied in mode poem'),
        offset: expect.any(Number),
      },
    ]);
  });

  it('accepts JSON with comments and takes passwords from the environment', async () => {
    const parsed = await parseJobFile(JOB, CONTEXT);
    expect(parsed).toMatchObject({
      job: {
        source: { target: { host: 'localhost', port: 5433, password: 'can:ary/@#', database: 'source' } },
        target: { url: 'postgresql://u:p@localhost/target' },
        request: {
          unlisted_columns: 'reject',
          tables: [{ name: 'customers', subset: { limit: 5 } }],
        },
        whereColumns: [['id', 'country']],
      },
    });
  });

  it('reads the fields that stand for keys of a policy, with their defaults', async () => {
    const parsed = await parseJobFile(
      JOB.replace('"tables"', '"allow_end_sessions": true, "tables"'),
      CONTEXT,
    );
    expect('job' in parsed && parsed.job.policy).toEqual({
      ...{ allow_security_definer: false, allow_large_objects: false, allow_foreign_servers: false },
      ...{ allow_end_sessions: true, max_database_bytes: null },
    });
    const wrong = inTables('[{"name": "t"}], "allow_large_objects": "yes", "max_database_bytes": 0');
    expect(await mistakes(wrong)).toEqual([
      expect.stringContaining('allow_large_objects: expected true or false, got a string of 3 characters'),
      expect.stringContaining('max_database_bytes: expected an integer from 1 to 9007199254740991'),
    ]);
  });

  it('uses the databases of the command line instead of those in the file', async () => {
    const url = 'postgresql://u:p@elsewhere/db';
    const given = { source: url, target: '${TARGET_URL}' };
    const parsed = await parseJobFile('{"tables": [{"name": "t"}]}', { ...CONTEXT, ...given });
    expect(parsed).toMatchObject({ job: { source: { url }, target: { target: { database: 'target' } } } });
    expect(await mistakes(JOB, { source: 'agent:db' })).toEqual([
      expect.stringContaining('--source: agent:<name> names a database of an agent'),
    ]);
  });

  it('replaces variables in a URL that a variable contains', async () => {
    const environment = { ...CONTEXT.environment, TARGET_URL: 'postgresql://u:${OTHER}@h/d', OTHER: 'p@:ß' };
    const parsed = await parseJobFile(JOB, { ...CONTEXT, environment });
    expect(parsed).toMatchObject({ job: { target: { target: { password: 'p@:ß' } } } });
  });

  it('reports all problems in the order of the text, without quoting values', async () => {
    const text = `{
  "source": { "connection_string": "mysql://canary:canary@h/d" },
  "target": { "connection_string": "agent:warehouse", "tpye": 1 },
  "tables": [
    { "name": "t t", "columns": { "a": { "generator": "en_US/first_nam" } } },
    { "name": "u", "columns": {
      "b": { "generator": "template", "pattern": "canary {{", "nulable": true },
      "b": { "preserve": true } },
      "subset": { "where": "f(canary) = 1" } }
  ],
  "seed": "canary", "webhook": "x"
}`;
    const found = await mistakes(text);
    expect(found).toEqual([
      '2:15 source.connection_string: expected a URL like postgresql://user:password@host:5432/database, got a string of 25 characters',
      expect.stringMatching(
        /^3:15 target\.connection_string: agent:<name> .* expected a URL like postgresql:/,
      ),
      '3:55 target.tpye: is not a known field',
      expect.stringMatching(/^5:7 tables\[0\]\.name: expected a table name as in SQL/),
      expect.stringMatching(/^5:42 tables\[0\]\.columns\.a\.generator: /),
      '8:7 tables[1].columns.b: expected this key only once',
      expect.stringMatching(
        /^9:19 tables\[1\]\.subset\.where: .*\(position 1 of a string of 13 characters\)/,
      ),
      '11:3 seed: expected an integer from -9007199254740991 to 9007199254740991, got a string of 6 characters',
      expect.stringMatching(/^11:21 webhook: /),
    ]);
    expect(found.join()).not.toContain('canary');
  });

  it.each([
    ['', /^1:1 : expected a value/],
    ['{', /^1:2 : expected a closing brace/],
    ["{'tables': 1}", /^1:2 : /],
    ['[]', /^1:1 : expected an object .* got an array of 0/],
    ['null', /^1:1 : expected an object/],
    ['{"tables": [{"name": "t"}]} x', /^1:29 : /],
    ['['.repeat(200_000), /^1:101 : expected at most 100 nested levels/],
    ['{"a":'.repeat(5000), /expected at most 100 nested levels/],
    ['{"__proto__": {"tables": []}}', /__proto__: is not a known field/],
    ['{}', /source: is required: expected an object .*--source <url>/],
    [
      JOB.replace('TARGET_URL', 'NO_SUCH'),
      /^4:15 target.url_env: the environment variable NO_SUCH is not set/,
    ],
    [JOB.replace('{ "url_env"', '{ "connection_string": "x", "url_env"'), /cannot be combined with url_env/],
    [inTables('[{"name": "t"}, {"name": "public.t"}]'), /is the same table as tables\[0\]/],
    [inTables('[{"name": "t", "columns": {"a": {"generator": "custom/x"}}}]'), /columns\.a\.generator: /],
    [
      inTables('[{"name":"t","columns":{"a":{"type":"list","values":["M","F"],"differs":true}}}]'),
      /columns\.a\.differs: true needs a rule with at least 20 distinct values, got 2/,
    ],
    [inTables('[{"name":"t"}], "models": {"custom/x": "none.ngram"}'), /there is no such file/],
    [inTables('[{"name":"t"}], "models": {"custom/x": "no-model.ngram"}'), /not a valid .ngram file/],
    [
      inTables('[{"name":"t"}], "compositions": ["no-model.ngram"]'),
      /expected JSON: .*\(character 1 of the file/,
    ],
  ])('reports the position of the problem in invalid file %#', async (text, what) => {
    writeFileSync(join(folder, 'no-model.ngram'), 'canary');
    const found = await mistakes(text);
    expect(found.join('\n')).toMatch(what);
    expect(found.join('\n')).not.toContain('canary');
  });

  it('reads the compositions that the file names, with and without their version', async () => {
    writeFileSync(
      join(folder, 'tag.json'),
      JSON.stringify({ name: '@mine/tags:tag', version: '1.2.0', body: 'tag-{{uuid}}' }),
    );
    const rules = '{"a": {"use": "@mine/tags:tag"}}';
    const text = inTables(`[{"name": "t", "columns": ${rules}}], "compositions": ["tag.json"]`);
    const parsed = await parseJobFile(text, CONTEXT);
    expect('job' in parsed && parsed.job.library.compositions.map(({ use }) => use)).toEqual([
      '@mine/tags:tag',
      '@mine/tags:tag@1.2.0',
    ]);
  });

  it.each([
    [
      `{"name":"@m/a:b","body":${'['.repeat(20_000)}1${']'.repeat(20_000)}}`,
      'expected at most 100 nested levels',
    ],
    [`{"name":"@m/a:b","body":1e999,"x":${'['.repeat(20_000)}`, 'expected at most 100 nested levels'],
    [
      `{"name":"@m/a:b","body":${'['.repeat(80)}1${']'.repeat(80)}}`,
      'JSON may be nested at most 64 levels deep',
    ],
    ['{"name":"@m/a:b","output":[1e1001]}', 'output[0]: this number would be rounded'],
    ['{"name":"@m/a:b","body":"a","body":"b"}', 'body: expected this key only once'],
    ['{"name":"@m/a:b"', 'expected a closing brace } (character 17 of the file)'],
    ['[1]', 'expected a file with one JSON object that has a "name"'],
    ['{"name":"@m/a:b"} x', '(character 19 of the file)'],
  ])('reports what is wrong in the composition %#, without a stack', async (composition, message) => {
    writeFileSync(join(folder, 'wrong.json'), composition);
    const found = await mistakes(inTables('[{"name": "t"}], "compositions": ["wrong.json"]'));
    expect(found[0]).toMatch(/^1:\d+ compositions\[0\]: /);
    expect(found[0]).toContain(message);
  });

  it('never throws for invalid content', async () => {
    const junk = fc.oneof(
      fc.string(),
      fc.json(),
      fc.json().map((json) => inTables(json)),
    );
    await fc.assert(
      fc.asyncProperty(junk, async (text) => {
        const parsed = await parseJobFile(text, CONTEXT);
        if ('problems' in parsed)
          for (const { offset } of parsed.problems) expect(offset).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 200 },
    );
  });
});
