import openapiTS, { astToString } from 'openapi-typescript';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const DOCUMENT = 'docs/reference/openapi.json';
/** The types of a TypeScript client of the API. A test uses them. */
const TYPES = 'apps/control-plane/test/integration/api-description/generated/openapi.ts';

/** Writes the OpenAPI document that the built control plane prints, and the types of a TypeScript client. */
export async function writeApiDescription(root: string): Promise<void> {
  const document = describedBy(root);
  writeFileSync(join(root, DOCUMENT), document);
  mkdirSync(dirname(join(root, TYPES)), { recursive: true });
  writeFileSync(join(root, TYPES), await clientTypes(document));
}

/** @throws Error if a committed file differs from the generated one */
export async function apiDescriptionIsFresh(root: string): Promise<string> {
  const document = describedBy(root);
  const types = await clientTypes(document);
  for (const [file, text] of Object.entries({ [DOCUMENT]: document, [TYPES]: types }))
    if (readFileSync(join(root, file), 'utf8') !== text)
      throw new Error(`${file} is not what the code describes`);
  return `${Object.keys((JSON.parse(document) as { paths: object }).paths).length} paths`;
}

function describedBy(root: string): string {
  const cli = join(root, 'apps/control-plane/dist/cli.js');
  const done = spawnSync(process.execPath, [cli, 'openapi'], { encoding: 'utf8', maxBuffer: 1 << 26 });
  if (done.status !== 0) throw new Error(done.stderr || 'the control plane is not built: npx tsc -b');
  return done.stdout;
}

async function clientTypes(document: string): Promise<string> {
  const nodes = await openapiTS(JSON.stringify(withoutTexts(JSON.parse(document))), { silent: true });
  return `// Generated from docs/reference/openapi.json by openapi-typescript ("npm run generate").\n\n${astToString(nodes)}`;
}

/**
 * Removes descriptions and examples, which would become comments of the types. Keeps properties of a schema
 * that are named, for example, `description`.
 */
function withoutTexts(node: unknown, areFields = false): unknown {
  if (Array.isArray(node)) return node.map((each) => withoutTexts(each));
  if (typeof node !== 'object' || node === null) return node;
  const kept = Object.entries(node).filter(([key]) => areFields || !TEXTS.has(key));
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutTexts(value, key === 'properties')]));
}

const TEXTS: ReadonlySet<string> = new Set(['summary', 'description', 'example', 'examples']);
