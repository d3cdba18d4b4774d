import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = 'libs/sync-engine/test/integration';
/** Path of the test suite. Each of its tests is a row of the page about PostgreSQL support. */
export const SUPPORT_SUITE = `${FOLDER}/postgres-support.spec.ts`;
const SCHEMAS = `${FOLDER}/everything-schema`;

/** One test of the suite. */
export interface Support {
  readonly section: string;
  readonly feature: string;
  /** The reaction of a job to a database with the feature. Absent if the job copies the feature unchanged. */
  readonly instead?: string;
  /** First major version of PostgreSQL that has the feature. Absent if every supported version has it. */
  readonly since?: number;
  /** Names of the schemas that the test compares. The SQL files create them. */
  readonly schemas: readonly string[];
}

const LITERAL = `'(?:[^'\\\\]|\\\\.)*'|"(?:[^"\\\\]|\\\\.)*"`;
const DECLARATION = new RegExp(
  `^\\s*(holds|instead)\\(\\s*(${LITERAL}),\\s*(${LITERAL}),\\s*(?:(${LITERAL}),|\\[([^\\]]*)\\](?:,\\s*(\\d+))?)?`,
  'gm',
);

/** Reads the calls of `holds` and `instead` in the suite, in their order. */
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

/**
 * Compares the SQL files with the suite.
 * @returns one sentence for each problem; empty if the tests compare exactly the schemas that the files
 *   create, and no two tests have the same title
 */
export function supportFaults(root: string): readonly string[] {
  const rows = declaredSupport(root);
  const faults: string[] = [];
  const compared = new Set(rows.flatMap(({ schemas }) => schemas));
  const created = new Set(createdSchemas(root));
  for (const schema of created)
    if (!compared.has(schema))
      faults.push(`${SCHEMAS}: no test of ${SUPPORT_SUITE} compares ${JSON.stringify(schema)}`);
  for (const schema of compared)
    if (!created.has(schema))
      faults.push(`${SUPPORT_SUITE}: no file creates the schema ${JSON.stringify(schema)}`);
  const titles = rows.map(({ section, feature }) => `${section}: ${feature}`);
  for (const title of titles.filter((each, i) => titles.indexOf(each) !== i))
    faults.push(`${SUPPORT_SUITE}: two tests have the title ${JSON.stringify(title)}`);
  return faults;
}

function createdSchemas(root: string): readonly string[] {
  return readdirSync(join(root, SCHEMAS))
    .filter((name) => name.endsWith('.sql'))
    .flatMap((name) => [
      ...readFileSync(join(root, SCHEMAS, name), 'utf8').matchAll(
        /^CREATE SCHEMA (?:"((?:[^"]|"")+)"|(\w+));/gm,
      ),
    ])
    .map(([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain);
}

/** @returns the value of a string literal, with the escapes that the formatter uses */
function valueOf(literal: string): string {
  return literal.slice(1, -1).replace(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped));
}
