import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = 'libs/sync-engine/test/integration';
/** The suite whose tests are the rows of the page. */
export const SUPPORT_SUITE = `${FOLDER}/postgres-support.spec.ts`;
const SCHEMAS = `${FOLDER}/everything-schema`;

/** One test of the suite. */
export interface Support {
  readonly section: string;
  readonly feature: string;
  /** What is seen where the feature itself does not hold. */
  readonly instead?: string;
  /** The first version of a server that knows of it, where that is not every one. */
  readonly since?: number;
  /** Schemas of the SQL files that the test compares. */
  readonly schemas: readonly string[];
}

const LITERAL = `'(?:[^'\\\\]|\\\\.)*'|"(?:[^"\\\\]|\\\\.)*"`;
const DECLARATION = new RegExp(
  `^\\s*(holds|shows|instead)\\(\\s*(${LITERAL}),\\s*(${LITERAL}),\\s*(?:(${LITERAL}),|\\[([^\\]]*)\\](?:,\\s*(\\d+))?)?`,
  'gm',
);

/** The rows that the suite declares by `holds`, `shows` and `instead`, in their order. */
export function declaredSupport(root: string): readonly Support[] {
  const text = readFileSync(join(root, SUPPORT_SUITE), 'utf8');
  return [...text.matchAll(DECLARATION)].map(
    ([, , section = '', feature = '', instead, schemas = '', since]) => ({
      section: valueOf(section),
      feature: valueOf(feature),
      ...(instead === undefined ? {} : { instead: valueOf(instead) }),
      ...(since === undefined ? {} : { since: Number(since) }),
      schemas: [...schemas.matchAll(new RegExp(LITERAL, 'g'))].map(([literal]) => valueOf(literal)),
    }),
  );
}

/** What is wrong between the SQL files and the suite; empty when every schema has its row and no two rows are alike. */
export function supportFaults(root: string): readonly string[] {
  const rows = declaredSupport(root);
  const faults: string[] = [];
  const compared = new Set(rows.flatMap(({ schemas }) => schemas));
  const made = new Set(madeSchemas(root));
  for (const schema of made)
    if (!compared.has(schema))
      faults.push(`${SCHEMAS}: no test of ${SUPPORT_SUITE} compares ${JSON.stringify(schema)}`);
  for (const schema of compared)
    if (!made.has(schema))
      faults.push(`${SUPPORT_SUITE}: no file makes the schema ${JSON.stringify(schema)}`);
  const titles = rows.map(({ section, feature }) => `${section}: ${feature}`);
  for (const title of titles.filter((each, i) => titles.indexOf(each) !== i))
    faults.push(`${SUPPORT_SUITE}: two tests are called ${JSON.stringify(title)}`);
  return faults;
}

function madeSchemas(root: string): readonly string[] {
  return readdirSync(join(root, SCHEMAS))
    .filter((name) => name.endsWith('.sql'))
    .flatMap((name) => [
      ...readFileSync(join(root, SCHEMAS, name), 'utf8').matchAll(
        /^CREATE SCHEMA (?:"((?:[^"]|"")+)"|(\w+));/gm,
      ),
    ])
    .map(([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain);
}

/** Of a literal as the formatter leaves it. */
function valueOf(literal: string): string {
  return literal.slice(1, -1).replace(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped));
}
