import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { waitFor } from '@understudy/testing';
import { parse } from 'csv-parse/sync';

import { BIN, Workbench } from './run-cli.js';

const SCHEMA = {
  generators: {
    id: { type: 'svc', algorithm: 'sequence' },
    name: { type: 'model', source: 'en_US/first_names' },
    note: { type: 'list', values: ['a "b", c', 'é'] },
  },
  output: ['id', 'name', 'note'],
};

const bench = new Workbench();
bench.write('people.json', JSON.stringify(SCHEMA));
afterAll(() => bench.remove());

const generate = (...args: string[]) => bench.run(['generate', 'people.json', ...args]);

describe('understudy generate', () => {
  it('writes the same records as JSON, NDJSON and CSV, and nothing on stderr if a seed is given', async () => {
    const [json, ndjson, csv] = await Promise.all(
      ['json', 'ndjson', 'csv'].map((format) =>
        generate('--count', '500', '--seed', '42', '--format', format),
      ),
    );
    for (const done of [json, ndjson, csv]) expect([done?.code, done?.err]).toEqual([0, '']);
    const records = JSON.parse(json?.out ?? '') as Record<string, unknown>[];
    expect(records).toHaveLength(500);
    expect(records.map(({ id }) => id)).toEqual(Array.from({ length: 500 }, (_, i) => i + 1));
    const lines = (ndjson?.out ?? '').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(records);
    const rows = parse(csv?.out ?? '', { columns: true, record_delimiter: '\r\n' }) as unknown[];
    expect(rows).toEqual(records.map((record) => ({ ...record, id: String(record['id']) })));
  });

  it('prints the random seed, which reproduces the records', async () => {
    const first = await generate('--now', '2026-01-01');
    expect(JSON.parse(first.out)).toHaveLength(10);
    const [, seed = ''] = /^seed (\d+)\n$/.exec(first.err) ?? [];
    expect((await generate('--seed', seed, '--now', '2026-01-01')).out).toBe(first.out);
  });

  it('accepts a negative seed, which gives other records than the positive one', async () => {
    const [negative, again, positive] = await Promise.all(
      ['-7', '-7', '7'].map((seed) => generate('--seed', seed)),
    );
    expect([negative?.code, negative?.err, again?.out]).toEqual([0, '', negative?.out]);
    expect(positive?.out).not.toBe(negative?.out);
    const refused = await generate('--seed', '-9007199254740992');
    expect([refused.code, refused.err]).toEqual([
      2,
      expect.stringContaining('Expected an integer from -9007199254740991 to 9007199254740991.'),
    ]);
  });

  it('resolves relative dates against --now', async () => {
    const params = { start: 'now', end: 'now' };
    const schema = {
      generators: { d: { type: 'svc', algorithm: 'date_between', params } },
      output: ['d'],
    };
    const args = [
      'generate',
      '-',
      '--count',
      '1',
      '--seed',
      '1',
      '--format',
      'ndjson',
      '--now',
      '2024-02-29',
    ];
    expect((await bench.run(args, JSON.stringify(schema))).out).toBe('{"d":"2024-02-29"}\n');
  });

  it('generates values from a custom model', async () => {
    bench.write('names.txt', 'Xaver\nXenia\nXander\n');
    await bench.run(['train', 'names.txt', '--out', 'names.ngram']);
    const schema = { generators: { n: { type: 'model', source: 'custom/n' } }, output: ['n'] };
    bench.write('own.json', JSON.stringify(schema));
    const args = ['generate', 'own.json', '--seed', '1', '--format', 'ndjson'];
    const done = await bench.run([...args, '--model', 'custom/n=names.ngram']);
    expect(done.code).toBe(0);
    expect(
      done.out
        .trimEnd()
        .split('\n')
        .every((line) => line.startsWith('{"n":"X')),
    ).toBe(true);
    expect(await bench.run(args)).toMatchObject({
      code: 4,
      out: '',
      err: expect.stringContaining('custom/n'),
    });
  });

  it('generates values from built-in compositions', async () => {
    const generators = {
      n: { use: 'en_US/full_names' },
      c: { type: 'model', source: 'ja_JP/cities', constraints: { ends_with: '市' } },
    };
    const args = ['generate', '-', '--count', '20', '--seed', '1', '--format', 'ndjson'];
    const done = await bench.run(args, JSON.stringify({ generators, output: ['n', 'c'] }));
    expect([done.code, done.err]).toEqual([0, '']);
    for (const line of done.out.trimEnd().split('\n'))
      expect(line).toMatch(/^{"n":"[^" ]+ [^"]+","c":"[^"]+市"}$/);
    const misspelt = { generators: { n: { use: 'en_US/full_name' } }, output: ['n'] };
    expect(await bench.run(args, JSON.stringify(misspelt))).toMatchObject({
      code: 4,
      err: expect.stringContaining('did you mean "en_US/full_names"?'),
    });
  });

  it('generates values from built-in lists', async () => {
    const schema = { generators: { n: { type: 'list', source: 'de_DE/cities' } }, output: ['n'] };
    const args = ['generate', '-', '--count', '5', '--seed', '1', '--format', 'ndjson'];
    const done = await bench.run(args, JSON.stringify(schema));
    expect([done.code, done.out.trimEnd().split('\n').length]).toEqual([0, 5]);
  });

  it('generates more values than one API request may if no value must be unique', async () => {
    const values = Array.from({ length: 1_000 }, () => 1);
    const schema = { generators: { many: { output: values } }, output: ['many'] };
    bench.write('many.json', JSON.stringify(schema));
    const child = bench.start(
      'generate',
      'many.json',
      '--count',
      '11000',
      '--seed',
      '1',
      '--format',
      'ndjson',
    );
    let bytes = 0;
    child.stdout?.on('data', (chunk: Buffer) => (bytes += chunk.length));
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(bytes).toBe(11_000 * (1_000 * 2 + '{"many":[]}'.length));
  });

  it('ends silently with 0 if the reader closes the output', async () => {
    const child = bench.start('generate', 'people.json', '--count', '1000000000', '--seed', '1');
    let err = '';
    child.stderr?.on('data', (chunk: Buffer) => (err += chunk.toString()));
    await once(child.stdout as NodeJS.ReadableStream, 'data');
    child.stdout?.destroy();
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(err).toBe('');
  });

  it('writes the same bytes with any number of threads, to stdout and to a file, and in parts', async () => {
    const args = ['--count', '30000', '--seed', '9', '--format', 'json'];
    const parts = ['0..1', '1..20001', '20001..30000'];
    const [one, three, ...rest] = await Promise.all([
      generate(...args, '--threads', '1'),
      generate(...args, '--out', 'three.json', '--threads', '3'),
      ...parts.map((range) => generate(...args, '--range', range)),
    ]);
    expect([one.code, one.err, three.code, three.err]).toEqual([0, '', 0, '']);
    expect(three.out).toMatch(/^three\.json: 30,000 rows, /);
    const hash = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex');
    expect(hash(readFileSync(join(bench.folder, 'three.json')))).toBe(hash(one.out));
    expect(hash(rest.map(({ out }) => out).join(''))).toBe(hash(one.out));
  });

  it('generates rows with unique values in one thread, including the rows before a part, and prints a warning', async () => {
    const params = { min: 0, max: 500 };
    const n = { type: 'svc', algorithm: 'int_between', params, unique: true };
    // Rows that become longer than the first ones end a chunk earlier than the threads expect.
    const generators = {
      n,
      row: { type: 'svc', algorithm: 'sequence' },
      text: { body: "{{pad_start('x', row * 20)}}" },
    };
    bench.write('unique.json', JSON.stringify({ generators, output: ['n', 'text'] }));
    const run = (...args: string[]) =>
      bench.run(['generate', 'unique.json', '--count', '400', '--seed', '1', '--format', 'ndjson', ...args]);
    const [whole, part] = await Promise.all([run(), run('--threads', '2', '--range', '300..400')]);
    expect([whole.code, whole.out.split('\n').length]).toEqual([0, 401]);
    expect(part.out).toBe(whole.out.split('\n').slice(300).join('\n'));
    expect(part.err).toContain('one thread generates all rows, and also the 300 rows before the range');
  });

  it('leaves no incomplete file after Ctrl-C, a row that cannot be generated or a full disk', async () => {
    bench.write('kept.json', 'as it was');
    const endless = ['--count', '1000000000', '--seed', '1', '--out', 'kept.json'];
    const child = bench.start('generate', 'people.json', ...endless);
    const partial = () => readdirSync(bench.folder).filter((name) => name.startsWith('.kept.json.'));
    const begun = async () => partial().some((name) => statSync(join(bench.folder, name)).size > 0);
    await waitFor('bytes in the file', begun);
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([130, null]);
    const generators = { a: { body: "{{pick('x', 'y')}}", unique: true } };
    bench.write('dry.json', JSON.stringify({ generators, output: ['a'] }));
    const dry = bench.run(['generate', 'dry.json', '--count', '3', '--seed', '1', '--out', 'kept.json']);
    expect(await dry).toMatchObject({ code: 4, out: '', err: expect.stringContaining('generators.a: ') });
    expect(partial()).toEqual([]);
    expect(readFileSync(join(bench.folder, 'kept.json'), 'utf8')).toBe('as it was');

    const full = generate('--seed', '1', '--out', '/dev/full');
    expect(await full).toEqual({ code: 3, out: '', err: 'understudy: /dev/full: the disk is full\n' });
    const command = [process.execPath, BIN, 'generate', 'people.json', '--seed', '1'];
    const redirected = spawnSync('sh', ['-c', 'exec "$0" "$@" > /dev/full', ...command], {
      cwd: bench.folder,
      encoding: 'utf8',
    });
    expect([redirected.status, redirected.stderr]).toEqual([3, 'understudy: stdout: the disk is full\n']);
  });

  it('shows progress and coloured errors on a terminal, but no progress next to rows', () => {
    const onTerminal = (...args: string[]) => {
      const line = [process.execPath, BIN, 'generate', ...args].map((word) => `'${word}'`).join(' ');
      const env = { ...process.env, TERM: 'xterm', NO_COLOR: undefined, FORCE_COLOR: undefined };
      const options = { cwd: bench.folder, encoding: 'utf8', env } as const;
      const { status, stdout } = spawnSync('script', ['-qec', line, '/dev/null'], options);
      return { status, shown: stdout.replaceAll('\x1b', 'ESC') };
    };
    const filed = onTerminal('people.json', '--count', '20000', '--seed', '1', '--out', 'filed.json');
    expect(filed.status).toBe(0);
    expect(filed.shown).toMatch(/^\rESC\[K\[[#·]{20}\] +\d+ % {2}[\d,]+ of 20,000 rows/);
    expect(filed.shown).toMatch(/\rESC\[Kfiled\.json: 20,000 rows, .*\r\n$/);
    const rows = onTerminal('people.json', '--count', '2000', '--seed', '1', '--format', 'ndjson');
    expect(rows.shown.split('\r\n')).toHaveLength(2_001);
    expect(rows.shown).not.toContain('ESC');
    const wrong = onTerminal('none.json');
    expect(wrong).toEqual({
      status: 3,
      shown: 'ESC[31munderstudy:ESC[39m none.json: there is no such file\r\n',
    });
  });

  it('reports every problem of a schema with its path, and writes no record', async () => {
    const params = { min: 2, max: 1 };
    const schema = {
      generators: { a: { type: 'svc', algorithm: 'int_between', params }, b: { type: 'nothing' } },
      output: ['a', 'b'],
    };
    bench.write('wrong.json', JSON.stringify(schema));
    const { code, out, err } = await bench.run(['generate', 'wrong.json']);
    expect([code, out]).toEqual([4, '']);
    const lines = err.trimEnd().split('\n');
    expect(lines).toEqual([
      expect.stringMatching(/^understudy: wrong\.json: generators\.a/),
      expect.stringMatching(/^understudy: wrong\.json: generators\.b/),
    ]);
  });

  it('warns if unique values may run out, and refuses a schema in which they must run out', async () => {
    const values = Array.from({ length: 10 }, (_, n) => n);
    const generators = { a: { type: 'list', values, unique: true } };
    const schema = JSON.stringify({ generators, output: ['a'] });
    const run = (count: string) => bench.run(['generate', '-', '--seed', '1', '--count', count], schema);
    const near = await run('10');
    expect(near.code).toBe(0);
    expect(near.err).toMatch(
      /^-: warning: generators\.a: unique may run out of values: after about 9 different values/,
    );
    expect(await run('11')).toEqual({
      code: 4,
      out: '',
      err: expect.stringContaining('generators.a: unique cannot give 11 different values'),
    });
  });

  it('writes the records before the one that fails, then reports the reason', async () => {
    const schema = {
      generators: { a: { body: "{{pick('x', 'y')}}", unique: true } },
      output: ['a'],
    };
    const args = ['generate', '-', '--count', '3', '--seed', '1', '--format', 'ndjson'];
    const { code, out, err } = await bench.run(args, JSON.stringify(schema));
    expect([code, out.trimEnd().split('\n').length]).toEqual([4, 2]);
    expect(err).toMatch(/^understudy: -: generators\.a: /);
  });

  it('prints a valid schema in its help', async () => {
    const { out } = await bench.run(['generate', '--help']);
    const schema = out.slice(out.indexOf('  {\n'), out.indexOf('  }\n') + 4);
    bench.write('help.json', schema);
    const done = await bench.run([
      'generate',
      'help.json',
      '--count',
      '3',
      '--seed',
      '42',
      '--format',
      'csv',
    ]);
    expect(done.code).toBe(0);
    expect(done.out).toMatch(/^id,name,email\r\n1,(\w+),\w+1@example\.com\r\n/);
  });

  it.each([
    [['generate', 'none.json'], 3, /^understudy: none\.json: there is no such file\n$/],
    [['generate', 'text.json'], 3, /^understudy: text\.json: expected JSON in UTF-8.*\n$/],
    [['generate', '.'], 3, /^understudy: \.: this is a folder, expected a file\n$/],
    [['generate', 'people.json', '--model', 'x=none.ngram'], 3, /none\.ngram: there is no such file/],
    [['generate', 'people.json', '--model', 'x'], 2, /Expected an id and a file/],
    [['generate', 'people.json', '--count', '0'], 2, /Expected a whole number from 1/],
    [['generate', 'people.json', '--seed', '1e3'], 2, /Expected an integer from -9007/],
    [['generate', 'people.json', '--format', 'xml'], 2, /json, csv, ndjson, sql, copy/],
    [['generate', 'people.json', '--range', '5..1'], 2, /Expected a\.\.b with a less than b/],
    [['generate', 'people.json', '--range', '5..11'], 2, /--range ends at 11.*\n.*needs --seed/],
    [['generate', 'people.json', '--threads', '0'], 2, /Expected a whole number from 1 to 256/],
    [['generate', 'people.json', '--format', 'sql'], 2, /--format sql needs --table/],
    [['generate', 'people.json', '--into', 'shop', '--table', 't'], 2, /expected a database URL/],
    [['generate', 'people.json', '--out', 'none/x.json'], 3, /none\/x\.json: there is no such file/],
    [['generate', 'people.json', '--now', 'tomorrow'], 2, /Expected an instant/],
    [['generate'], 2, /missing required argument/],
  ])('%j exits with %i', async (args, code, message) => {
    bench.write('text.json', 'secret text');
    const done = await bench.run(args);
    expect([done.code, done.out]).toEqual([code, '']);
    expect(done.err).toMatch(message);
    expect(done.err).not.toMatch(/secret|\bat .*\.js|node:/);
  });
});
