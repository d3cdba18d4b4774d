import { parseExactJson } from '@understudy/expression';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { type GenerateCall, generateSnippet, SETUP_OF, type SnippetLanguage } from './generate-snippets.js';

const PAGE = readFileSync(join(import.meta.dirname, '../../../docs/reference/api.md'), 'utf8');
const [, SECTION = ''] = PAGE.split('### `generate`');
/** The code blocks of the section `generate`. */
const SNIPPETS = [...SECTION.matchAll(/```\w+\n(.*?)\n```/gs)].slice(0, 5).map(([, code]) => code);
const LANGUAGES: readonly SnippetLanguage[] = ['curl', 'typescript', 'python', 'php', 'go'];

/** The call of docs/reference/api.md. A test runs the snippets of that page with the clients. */
const DOCUMENTED: GenerateCall = {
  schema: {
    generators: {
      id: { type: 'svc', algorithm: 'uuid_v4' },
      age: { type: 'svc', algorithm: 'int_between', params: { min: 18, max: 90 } },
    },
    output: ['id', 'age'],
  },
  count: 1,
  seed: 42,
};

describe('generateSnippet', () => {
  it('writes all digits of a number, or nothing if the client cannot send it', () => {
    const digitsIn = (json: string) => {
      const schema = {
        generators: { n: { type: 'list', values: [parseExactJson(json) as never] } },
        output: ['n'],
      };
      return LANGUAGES.map((language) => {
        const code = generateSnippet(language, { schema, count: 1, seed: 1 });
        return code === undefined ? undefined : /[^[{ ]*\d{17}[^\]} ,]*/.exec(code)?.[0];
      });
    };
    expect(digitsIn('90071992547409931')).toEqual([
      '90071992547409931',
      '90071992547409931n',
      '90071992547409931',
      '90071992547409931',
      'json.Number("90071992547409931")',
    ]);
    expect(digitsIn('-90071992547409931000001')).toEqual([
      '-90071992547409931000001',
      '-90071992547409931000001n',
      '-90071992547409931000001',
      undefined,
      'json.Number("-90071992547409931000001")',
    ]);
    expect(digitsIn('0.12345678901234567890')).toEqual([
      '0.12345678901234567890',
      undefined,
      'Decimal("0.12345678901234567890")',
      undefined,
      'json.Number("0.12345678901234567890")',
    ]);
  });

  it.each(LANGUAGES)('writes the snippet in %s that docs/reference/api.md has', (language) => {
    expect(SNIPPETS).toContain(generateSnippet(language, DOCUMENTED));
  });

  it.each([
    ['curl', `"now": "2026-01-01T00:00:00Z"`],
    ['typescript', `{ seed: 42, now: '2026-01-01T00:00:00Z' }`],
    ['python', `, now="2026-01-01T00:00:00Z")`],
    ['php', `, now: '2026-01-01T00:00:00Z')`],
    ['go', `, understudy.WithNow("2026-01-01T00:00:00Z"))`],
  ] as const)('sets the reference time in %s', (language, part) => {
    expect(generateSnippet(language, { ...DOCUMENTED, now: '2026-01-01T00:00:00Z' })).toContain(part);
  });

  it.each([
    ['curl', `"it's": { "body": "\\"$a\\" \\\\ \\n" }`.replaceAll("'", `'\\''`)],
    ['typescript', `"it's": { body: '"$a" \\\\ \\n' }`],
    ['python', `"it's": {"body": "\\"$a\\" \\\\ \\n"}`],
    ['php', `'it\\'s' => ['body' => '"$a" \\\\ \n']`],
    ['go', `"it's": map[string]any{"body": "\\"$a\\" \\\\ \\n"}`],
  ] as const)('escapes quotation marks and backslashes in %s', (language, part) => {
    const schema = { generators: { "it's": { body: '"$a" \\ \n' } }, output: ["it's"] };
    expect(generateSnippet(language, { ...DOCUMENTED, schema })).toContain(part);
  });
});

describe('SETUP_OF', () => {
  it.each(Object.entries(SETUP_OF))('has the lines for %s of docs/reference/api.md', (_, setup) => {
    expect(PAGE).toContain(`\n${setup}\n`);
  });
});
