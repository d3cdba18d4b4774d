import openapiTS, { astToString } from 'openapi-typescript';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const DOCUMENT = 'docs/openapi.json';
/** What a client in TypeScript has of the document; a test drives the API with it. */
const TYPES = 'apps/control-plane/test/integration/api-description/generated/openapi.ts';

/** Writes the OpenAPI document, as the built control plane describes it, and the types of a client of it. */
export async function writeApiDescription(root: string): Promise<void> {
  const document = describedBy(root);
  writeFileSync(join(root, DOCUMENT), document);
  mkdirSync(dirname(join(root, TYPES)), { recursive: true });
  writeFileSync(join(root, TYPES), await clientTypes(document));
}

/** @throws Error when a committed file is not what the control plane describes */
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
  const nodes = await openapiTS(document, { silent: true });
  return `// Generated from docs/openapi.json by openapi-typescript ("npm run generate").\n\n${astToString(nodes)}`;
}
