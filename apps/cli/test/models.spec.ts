import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { readModel } from '@understudy/ngram';

import { Workbench } from './run-cli.js';

const NAMES = ['Anna', 'Maria', 'Marta', 'Martin', 'Mario', 'Marius', 'Mark', 'Anton', 'Émile', 'Zoë'];

const bench = new Workbench();
afterAll(() => bench.remove());

const read = (file: string) => readFileSync(join(bench.folder, file));
const modelOf = (file: string) => readModel(read(file));
const lines = (text: string) => text.trimEnd().split('\n');

describe('understudy train', () => {
  it('trains the same model for any order of lines, any line ending, and with or without a byte order mark', async () => {
    const values = [...NAMES, 'Anna', 'Mark'];
    bench.write('lf.txt', values.join('\n'));
    bench.write('crlf.txt', `\ufeff${[...values].reverse().join('\r\n')}\r\n`);
    for (const file of ['lf', 'crlf']) {
      const done = await bench.run(['train', `${file}.txt`, '--out', `${file}.ngram`, '--name', 'names']);
      expect([done.code, done.err]).toEqual([0, '']);
      expect(done.out).toContain('10 different values (12 in total), 3 to 6 characters');
    }
    expect(read('lf.ngram').equals(read('crlf.ngram'))).toBe(true);
    expect(modelOf('lf.ngram')).toMatchObject({
      id: 'und_ZZ/names',
      order: 4,
      minValues: 1,
      distinctValues: 10,
      totalWeight: 12,
    });
    const stdin = await bench.run(
      ['train', '-', '--out', 'stdin.ngram', '--name', 'names'],
      values.join('\n'),
    );
    expect(stdin.code).toBe(0);
    expect(read('stdin.ngram').equals(read('lf.ngram'))).toBe(true);
  });

  it('reads a column of a CSV file that contains quotes, commas, line breaks and a byte order mark', async () => {
    bench.write('t.csv', '\ufeffid,"full ""name""",x\r\n1,"Anna, the\nfirst",z\r\n2,Anton,\r\n3,,z\r\n');
    const done = await bench.run(['train', 't.csv:full "name"', '--out', 't.ngram', '--json']);
    expect([done.code, done.err]).toEqual([0, '']);
    expect(JSON.parse(done.out)).toMatchObject({
      file: 't.ngram',
      name: 't',
      order: 4,
      bytes: read('t.ngram').length,
      distinct_values: 2,
      total_weight: 2,
      empty_values: 1,
      shortest_value: 5,
      longest_value: 15,
    });
    const { out } = await bench.run(['sample', 't.ngram', '--count', '50', '--json']);
    expect(new Set(lines(out))).toEqual(new Set(['"Anna, the\\nfirst"', '"Anton"']));
    bench.write('t.tsv', 'id\tname\n1\tAnna, B\n2\tAnton\n');
    expect((await bench.run(['train', 't.tsv:name', '--out', 't.ngram'])).code).toBe(0);
    expect(modelOf('t.ngram').distinctValues).toBe(2);
  });

  it('stores order, minimum number of values, case, locale and name in the model', async () => {
    bench.write('names.txt', NAMES.join('\n'));
    const options = [
      '--order',
      '2',
      '--min-values',
      '2',
      '--case',
      'lower',
      '--locale',
      'de_DE',
      '--name',
      'n',
    ];
    expect((await bench.run(['train', 'names.txt', '--out', 'n.ngram', ...options])).code).toBe(0);
    expect(modelOf('n.ngram')).toMatchObject({
      id: 'de_DE/n',
      locale: 'de_DE',
      order: 2,
      minValues: 2,
      caseFolding: 'lower',
    });
  });

  it.each([
    ['none', 'none'],
    ['fingerprints', { kind: 'fingerprints' }],
    ['values', { kind: 'values' }],
  ])('records training values with --originals %s and counts repeated values once', async (kind, kept) => {
    bench.write('repeated.txt', [...NAMES, ...NAMES, 'Anna'].join('\n'));
    const args = ['train', 'repeated.txt', '--originals', kind, '--out', `kept-${kind}.ngram`];
    expect(await bench.run(args)).toMatchObject({ code: 0, err: '' });
    const { originals, distinctValues, totalWeight } = modelOf(`kept-${kind}.ngram`);
    expect([distinctValues, totalWeight]).toEqual([10, 21]);
    if (typeof kept === 'string') expect(originals).toBe(kept);
    else expect(originals).toMatchObject(kept);
  });

  it('skips values that are too long and reports their number', async () => {
    bench.write('long.txt', `${'x'.repeat(3_000_000)}\nAnna\n\nAnton\n`);
    const done = await bench.run(['train', 'long.txt', '--out', 'long.ngram']);
    expect([done.code, done.out]).toEqual([
      0,
      expect.stringContaining('skipped values: 1 empty, 1 too long'),
    ]);
    expect(modelOf('long.ngram').longestValue).toBe(5);
  });

  it('keeps an existing file if training fails, and leaves no temporary file', async () => {
    bench.write('kept.ngram', 'as it was');
    bench.write('few.txt', 'Anna\nZoë\n');
    const before = readdirSync(bench.folder);
    const done = await bench.run(['train', 'few.txt', '--out', 'kept.ngram', '--min-values', '2']);
    expect([done.code, done.out, done.err]).toEqual([
      4,
      '',
      expect.stringMatching(/^understudy: no word survives/),
    ]);
    expect(read('kept.ngram').toString()).toBe('as it was');
    bench.write('names.txt', NAMES.join('\n'));
    const nowhere = await bench.run(['train', 'names.txt', '--out', 'nowhere/x.ngram']);
    expect([nowhere.code, nowhere.err]).toEqual([3, 'understudy: nowhere/x.ngram: there is no such file\n']);
    expect(readdirSync(bench.folder)).toEqual(expect.arrayContaining(before));
    expect(readdirSync(bench.folder).filter((file) => file.startsWith('.'))).toEqual([]);
  });

  it.each([
    [['train', 'none.txt'], 3, /none\.txt: there is no such file/],
    [['train', 'empty.txt'], 4, /no non-empty values/],
    [['train', 'binary.txt'], 3, /expected text in UTF-8/],
    [['train', 'people.csv'], 2, /name a column, as in people\.csv:name/],
    [['train', 'people.csv:age'], 3, /there is no column "age"; the columns are id, name/],
    [['train', 'none.csv:age'], 3, /none\.csv: there is no such file/],
    [['train', 'broken.csv:name'], 3, /expected CSV \(line 3: /],
    [['train', 'ragged.csv:name'], 3, /expected CSV \(line 2: /],
    [['train', 'twice.csv:name'], 3, /expected one column "name", found several/],
    [['train', 'empty.csv:name'], 3, /the file is empty/],
    [['train', 'people.csv:name', '--order', '9'], 2, /from 2 to 8/],
    [['train', 'people.csv:name', '--min-values', '0'], 2, /from 1/],
    [['train', 'people.csv:name', '--case', 'upper'], 2, /preserve, lower, title/],
  ])('%j exits with %i', async (args, code, message) => {
    bench.write('empty.txt', '\n\n');
    bench.write('binary.txt', new Uint8Array([0x61, 0xff, 0xfe, 0x0a]));
    bench.write('people.csv', 'id,name\n1,canary\n');
    bench.write('broken.csv', 'id,name\n1,x\n2,"canary" y\n');
    bench.write('ragged.csv', 'id,name\n1,canary,z\n');
    bench.write('twice.csv', 'name,name\ncanary,x\n');
    bench.write('empty.csv', '');
    const done = await bench.run([...args, '--out', 'never.ngram']);
    expect([done.code, done.out]).toEqual([code, '']);
    expect(done.err).toMatch(message);
    expect(done.err).not.toMatch(/canary|\bat .*\.js|node:/);
    expect(readdirSync(bench.folder)).not.toContain('never.ngram');
  });
});

describe('understudy sample', () => {
  beforeAll(async () => {
    bench.write('s.txt', NAMES.join('\n'));
    await bench.run(['train', 's.txt', '--out', 's.ngram', '--order', '3']);
  });

  it('generates the same words for the same seed, and different words without a seed', async () => {
    const sample = async (...args: string[]) =>
      (await bench.run(['sample', 's.ngram', '--count', '2500', ...args])).out;
    const first = await sample('--seed', '7');
    expect(lines(first)).toHaveLength(2500);
    expect(await sample('--seed', '7')).toBe(first);
    expect(await sample('--seed', '8')).not.toBe(first);
    expect(await sample()).not.toBe(await sample());
  });

  it('generates words that meet all constraints', async () => {
    const constraints = ['--starts-with', 'Ma', '--ends-with', 'o', '--contains', 'ri', '--min-length', '5'];
    const args = ['sample', 's.ngram', '--count', '30', ...constraints, '--max-length', '9'];
    const { code, out } = await bench.run(args);
    expect(code).toBe(0);
    for (const word of lines(out)) expect(word).toMatch(/^(?=.{5,9}$)Ma.*o$/);
    const fresh = await bench.run(['sample', 's.ngram', '--count', '200', '--exclude-originals']);
    expect(lines(fresh.out).filter((word) => NAMES.includes(word))).toEqual([]);
  });

  it('accepts the id of a built-in model', async () => {
    const { code, out } = await bench.run([
      'sample',
      'en_US/first_names',
      '--count',
      '5',
      '--starts-with',
      'Jo',
    ]);
    expect([code, lines(out).every((word) => word.startsWith('Jo'))]).toEqual([0, true]);
  });

  it.each([
    [['sample', 's.ngram', '--starts-with', 'Q'], 4, /s\.ngram: .*starts_with/],
    [['sample', 's.ngram', '--min-length', '9', '--max-length', '3'], 4, /s\.ngram: /],
    [['sample', 's.txt'], 3, /s\.txt: this is not a valid \.ngram file/],
    [['sample', 'none.ngram'], 3, /none\.ngram: there is no such file/],
    [
      ['sample', 'en_US/none'],
      3,
      /no such file and no such built-in model; similar models are .*en_US\/first_names/,
    ],
    [['sample', 'xx_XX/first_names'], 3, /similar models are .*de_DE\/first_names/],
    [['sample', 'de_DE/full_names'], 4, /expected an n-gram model, but this is a composition/],
    [['sample', 's.ngram', '--count', '-1'], 2, /whole number from 1/],
    [['sample', 's.ngram', '--surprise'], 2, /unknown option/],
  ])('%j exits with %i', async (args, code, message) => {
    const done = await bench.run(args);
    expect([done.code, done.out]).toEqual([code, '']);
    expect(done.err).toMatch(message);
    expect(done.err).not.toMatch(/\bat .*\.js|node:/);
  });
});

describe('understudy inspect', () => {
  it('prints the metadata of a model as text and as JSON', async () => {
    bench.write('i.txt', NAMES.join('\n'));
    await bench.run(['train', 'i.txt', '--out', 'i.ngram', '--locale', 'de_DE']);
    const [text, json] = [
      await bench.run(['inspect', 'i.ngram']),
      await bench.run(['inspect', 'i.ngram', '--json']),
    ];
    const model = modelOf('i.ngram');
    expect(JSON.parse(json.out)).toMatchObject({
      id: 'de_DE/i',
      locale: 'de_DE',
      order: 4,
      token_type: 'char',
      token_count: model.tokenCount,
      ngram_count: model.ngramCount,
      distinct_values: 10,
      originals: 'recorded',
      checksum: model.checksum,
      byte_length: model.byteLength,
    });
    expect(text.out).toMatch(/^locale +de_DE$/m);
    expect(text.out).toMatch(/^distinct values +10$/m);
  });

  it('rejects a model file that is truncated or changed', async () => {
    bench.write('i.txt', NAMES.join('\n'));
    await bench.run(['train', 'i.txt', '--out', 'i.ngram']);
    bench.write('cut.ngram', read('i.ngram').subarray(0, 200));
    const changed = Buffer.from(read('i.ngram'));
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
    bench.write('changed.ngram', changed);
    for (const file of ['cut.ngram', 'changed.ngram']) {
      const done = await bench.run(['inspect', file]);
      expect([done.code, done.out]).toEqual([3, '']);
      expect(done.err).toMatch(/this is not a valid \.ngram file: /);
    }
  });
});
