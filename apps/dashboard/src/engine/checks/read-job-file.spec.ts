import { readJobFile } from './read-job-file.js';

const FILE = `{
  "source": { "connection_string": "postgresql://me:canary@db/shop" },
  "target": { "url_env": "TARGET_URL" },
  "tables": [
    {
      "name": "customers",
      "columns": {
        "id": { "preserve": true },
        // looks like a full name
        "name": { "generator": "en_US/full_names" },
        // TO DECIDE: e-mail address
        "email": { "preserve": true }
      },
      "subset": { "where": "id < 10", "limit": 5 }
    }
  ],
  "seed": 7
}`;

function read(text: string) {
  const file = readJobFile(text);
  if (file.kind === 'refused') throw new Error(file.problems.map(({ message }) => message).join());
  return file;
}

describe('readJobFile', () => {
  it('reads tables, rules and comments, and leaves columns open that need a decision', () => {
    const { form } = read(FILE);
    expect(form).toMatchObject({ unlistedColumns: 'preserve', seed: '7', now: '' });
    expect(form.tables).toEqual([
      {
        ...{ id: 0, name: 'customers', where: 'id < 10', limit: 5 },
        columns: [
          { name: 'id', rule: { preserve: true } },
          { name: 'name', rule: { generator: 'en_US/full_names' }, note: 'looks like a full name' },
          { name: 'email', rule: undefined, note: 'e-mail address' },
        ],
      },
    ]);
  });

  it('takes over databases of agents, but no part of a connection URL', () => {
    const file = read(FILE);
    expect([file.form.source, file.form.target, file.hasUrl]).toEqual(['', '', true]);
    expect(JSON.stringify(file)).not.toContain('canary');
    const ofAgents = read(
      FILE.replace('postgresql://me:canary@db/shop', 'agent:shop').replace(
        '{ "url_env": "TARGET_URL" }',
        '{ "connection_string": "agent:copy" }',
      ),
    );
    expect([ofAgents.form.source, ofAgents.form.target, ofAgents.hasUrl]).toEqual([
      'agent:shop',
      'agent:copy',
      false,
    ]);
  });

  it('reports models and compositions in local files', () => {
    expect(read(FILE).hasLocalFiles).toBe(false);
    expect(read(FILE.replace('"seed"', '"models": {"custom/x": "x.ngram"}, "seed"')).hasLocalFiles).toBe(
      true,
    );
  });

  it('names the fields that stand for keys of a policy, without their values', () => {
    expect(read(FILE).policyFields).toEqual([]);
    const file = read(
      FILE.replace('"url_env"', '"build_connection_string": "postgresql://b:canary@db/x", "url_env"').replace(
        '"seed"',
        '"replace": "database", "allow_end_sessions": true, "seed"',
      ),
    );
    expect(file.policyFields).toEqual(['target.build_connection_string', 'allow_end_sessions']);
    expect(JSON.stringify(file)).not.toContain('canary');
  });

  it.each([
    ['', 1, 1, 'expected a value'],
    ['{\n  "tables": [}', 2, 14, 'expected a value'],
    ['[]', 1, 1, 'expected an object {source, target, tables}, got an array of 0'],
    [FILE.replace('"customers"', '"a b"'), 6, 7, 'expected a table name as in SQL'],
    [FILE.replace('"email"', '"id"'), 12, 9, 'expected this key only once'],
    [FILE.replace('"seed": 7', '"sead": 7'), 17, 3, 'is not a known field'],
    [FILE.replace('"seed": 7', '"agent": {}'), 17, 3, 'expected an object {id, name, labels}'],
  ])('refuses invalid file %# with a position', (text, line, column, message) => {
    const file = readJobFile(text);
    expect(file.kind === 'refused' && file.problems[0]).toMatchObject({
      ...{ line, column },
      message: expect.stringContaining(message),
    });
  });
});
