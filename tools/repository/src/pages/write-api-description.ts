import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const DOCUMENT = 'docs/reference/openapi.json';

/** Writes the OpenAPI document that the built control plane prints. */
export function writeApiDescription(root: string): void {
  writeFileSync(join(root, DOCUMENT), describedBy(root));
}

/** @throws Error if the committed document differs from the printed one */
export async function apiDescriptionIsFresh(root: string): Promise<string> {
  const document = describedBy(root);
  if (readFileSync(join(root, DOCUMENT), 'utf8') !== document)
    throw new Error(`${DOCUMENT} is not what the code describes`);
  return `${Object.keys((JSON.parse(document) as { paths: object }).paths).length} paths`;
}

function describedBy(root: string): string {
  const cli = join(root, 'apps/control-plane/dist/cli.js');
  const done = spawnSync(process.execPath, [cli, 'openapi'], { encoding: 'utf8', maxBuffer: 1 << 26 });
  if (done.status !== 0) throw new Error(done.stderr || 'the control plane is not built: npx tsc -b');
  return done.stdout;
}
