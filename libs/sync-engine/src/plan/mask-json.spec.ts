import { builtinLibrary } from '@understudy/builtin-models/node';
import { parseColumnRule } from '@understudy/column-rule';
import { CopyRewriter, readTextField, writeNullField, writeTextField } from '@understudy/copy-format';
import { ByteSink } from '@understudy/bytes';
import {
  type CellMask,
  compileColumnMask,
  compileJsonMask,
  type JobKeyMaterial,
  MaskingError,
  rowKeyOf,
  TextTableMask,
} from '@understudy/masking';
import fc from 'fast-check';
import { jsonPathFinder } from './json-path-finder.js';

const JOB: JobKeyMaterial = { maskingKey: new Uint8Array(32).fill(7), seed: 1, referenceInstantMs: 0 };
const { assets, registry } = builtinLibrary();
const NAME = { type: 'list', values: ['Ann', 'Bea', 'Cleo', 'Dora', 'Edna'] };
const DIGITS = { type: 'svc', algorithm: 'digits', params: { digits: 6 } };
const constant = (value: unknown) => ({ type: 'list', values: [value] });

function maskOf(name: string, value: unknown, produced: readonly string[], job = JOB): CellMask {
  const parsed = parseColumnRule(value, name);
  if ('problems' in parsed || parsed.rule.kind === 'preserve') throw new Error(JSON.stringify(parsed));
  const context = { job, table: 'public.t', models: () => undefined, assets, registry };
  const { rule } = parsed;
  return rule.kind === 'json'
    ? compileJsonMask({ name, path: name, rule }, produced, context, jsonPathFinder)
    : compileColumnMask({ name, path: name, rule, isText: true, isBlankPadded: false }, produced, context);
}

/** Masks rows. Each consists of the key and the values of the columns with rules. Returns the masked values. */
function run(
  rules: Readonly<Record<string, unknown>>,
  rows: readonly (readonly (string | null)[])[],
  job = JOB,
): (string | null)[][] {
  const names = Object.keys(rules);
  const masks = names.map((name) => ({ kind: 'mask', mask: maskOf(name, rules[name], names, job) }) as const);
  const table = new TextTableMask([{ kind: 'keep' }, ...masks], 1, rowKeyOf(job), names);
  const input = new ByteSink();
  for (const row of rows) {
    row.forEach((value, i) => {
      if (i > 0) input.writeByte(9);
      if (value === null) writeNullField(input);
      else writeTextField(input, value);
    });
    input.writeByte(10);
  }
  const out = new ByteSink();
  new CopyRewriter(table.headFields, table.rewrite).push(input.take(), out);
  const lines = Buffer.from(out.take()).toString('latin1').split('\n').slice(0, -1);
  return lines.map((line) =>
    line
      .split('\t')
      .slice(1)
      .map((field) => readTextField(Buffer.from(field, 'latin1'), 0, field.length)),
  );
}

const one = (rule: unknown, text: string | null): string | null =>
  run({ doc: rule }, [['1', text]])[0]?.[0] ?? null;

describe('a rule with json paths', () => {
  it('replaces the values that the paths name and keeps every other character', () => {
    const text = `{ "id":12345678901234567890.10, "contact" : {"email":"me@x.org","é\\u00e9":"\\t\\\\"},
      "phones":[{"no":"1","k":1e5},{"no":"2"}], "id":-0 , "n":null}`;
    const rule = {
      json: { 'contact.email': constant('new "one"\n'), 'phones[*].no': constant('0'), n: NAME, gone: NAME },
    };
    expect(one(rule, text)).toBe(
      text.replace('"me@x.org"', '"new \\"one\\"\\n"').replace('"1"', '"0"').replace('"2"', '"0"'),
    );
  });

  it('keeps a document unchanged if the paths name nothing in it', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(4), (json, indent) => {
        const text = JSON.stringify(JSON.parse(json), null, indent);
        expect(one({ json: { nowhere: NAME } }, text)).toBe(text);
      }),
    );
  });

  it('distinguishes SQL NULL from JSON null', () => {
    const rule = { json: { a: NAME } };
    expect([null, 'null', '{"a": null}', '{"a": ""}'].map((text) => one(rule, text))).toEqual([
      null,
      'null',
      '{"a": null}',
      expect.stringMatching(/^\{"a": "[A-E]/),
    ]);
    expect(one({ json: { a: { ...NAME, nullable: 1 } } }, '{"a": 1}')).toBe('{"a": null}');
  });

  it.each([
    ['x', '"x"'],
    [12.5, '12.5'],
    [true, 'true'],
    [{ b: [1] }, '{"b":[1]}'],
  ])('writes %j as %s in place of scalars, objects and arrays', (value, json) => {
    for (const old of ['1', '"s"', '[1,2]', '{"x":{}}']) {
      expect(one({ json: { a: constant(value) } }, `{"a":${old}}`)).toBe(`{"a":${json}}`);
    }
  });

  it('gives each array element its own value, which does not depend on other rows', () => {
    const rules = { doc: { json: { '[*]': DIGITS } } };
    const rows = ['1', '2'].map((key) => [key, '["a","a","a"]']);
    const masked = run(rules, rows);
    const values = masked.flatMap(([text]) => JSON.parse(String(text)) as string[]);
    expect(new Set(values).size).toBe(6);
    expect(run(rules, [...rows].reverse()).reverse()).toEqual(masked);
    expect(run(rules, rows, { ...JOB, seed: 2 })).not.toEqual(masked);
  });

  it('gives a consistent rule the same value in a text column, at any JSON path and in any job', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer(), (original, seed) => {
        fc.pre(!original.includes('\0'));
        const rule = { ...DIGITS, transform: 'concat("no. ", value)', consistent: true };
        const text = JSON.stringify({ a: original, b: [original] });
        const [[column, document] = []] = run(
          { column: rule, doc: { json: { a: rule, 'b[0]': rule } } },
          [['1', original, text]],
          { ...JOB, seed },
        );
        expect(JSON.parse(String(document))).toEqual({ a: column, b: [column] });
        expect(run({ other: rule }, [['2', original]])).toEqual([[column]]);
      }),
    );
  });

  it('retries until the value differs from the original, even if that is written with escapes', () => {
    const rule = { json: { a: { type: 'list', values: ['a', 'b'], differs: true } } };
    for (let key = 0; key < 30; key++) {
      expect(run({ doc: rule }, [[String(key), '{"a":"\\u0061"}']])).toEqual([['{"a":"b"}']]);
    }
    expect(() => one({ json: { a: { ...constant(5), differs: true } } }, '{"a":5}')).toThrow(
      expect.objectContaining({ code: 'generation_failed', column: 'doc' }),
    );
  });

  it('lets a template read the new values of other columns', () => {
    const rules = {
      doc: { json: { a: { generator: 'template', pattern: 'Dear {{name}}' } } },
      name: constant('Ann'),
    };
    expect(run(rules, [['1', '{"a": 1}', 'secret']])).toEqual([['{"a": "Dear Ann"}', 'Ann']]);
  });

  it.each([
    ['a document past 16 MiB', `{"a":"${'x'.repeat(16 * 1024 * 1024)}"}`, NAME],
    ['a thousand levels', '['.repeat(1000) + ']'.repeat(1000), NAME],
    ['a value with U+0000', '{"a":1}', constant('\0')],
  ])('fails for %s with an error that names the column and quotes no value', (_, text, rule) => {
    const masking = () => one({ json: { a: rule } }, text);
    expect(masking).toThrow(MaskingError);
    expect(masking).toThrow(expect.objectContaining({ code: 'value_invalid', column: 'doc' }));
  });
});
