import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync } from 'node:fs';

const GUIDE = new URL('../../../../docs/guides/connect-an-agent.md', import.meta.url);
/** The folder of certificates and keys in the guide. */
const GUIDE_FOLDER = '/etc/ssl/understudy';

/**
 * Reads a file that docs/guides/connect-an-agent.md shows.
 * @param folder takes the place of /etc/ssl/understudy
 * @throws Error if the guide shows no file of this name
 */
export function guideFile(name: string, folder: string): string {
  return block(`\\S+ ${name.replaceAll('.', '\\.')}`).replaceAll(GUIDE_FOLDER, folder);
}

/** Creates the authority and the certificates of the guide with the guide's own command. */
export function makeGuideCertificates(folder: string): void {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o711);
  execFileSync('sh', ['-ec', block('sh', 'openssl')], { cwd: folder, stdio: 'pipe' });
}

function block(fence: string, beginning = ''): string {
  const guide = readFileSync(GUIDE, 'utf8');
  const found = new RegExp(`^ *\`\`\`${fence}\\n( *)(${beginning}[^]*?)^ *\`\`\`$`, 'm').exec(guide);
  const [, indent = '', text] = found ?? [];
  if (text === undefined)
    throw new Error(`the guide shows no block "${fence}" that begins with "${beginning}"`);
  return text.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
}
