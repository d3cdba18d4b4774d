import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { readManifest, type StagedProgram } from '../staging/stage-program.js';

const LICENCE_FILE = /^(licen[sc]e|copying|notice)([.-]|$)/i;
/** The licences of the packages in the dashboard's files, which its build collects. */
const DASHBOARD_LICENCES = 'node_modules/@understudy/dashboard/dist/site/licenses.md';

/** Returns the licences of all packages of others in a tarball, with the texts that the packages contain. */
export function licenceTexts({ program, version, folder, packages }: StagedProgram): string {
  const texts = packages
    .filter(({ from }) => from.includes('node_modules/'))
    .map(({ to }) => licenceText(join(folder, to)));
  const dashboard = join(folder, DASHBOARD_LICENCES);
  return [
    `Licences of the packages in ${program.name}-${version}.tgz. Understudy itself is under Apache-2.0.`,
    ...texts,
    ...(existsSync(dashboard) ? [readFileSync(dashboard, 'utf8').trim()] : []),
  ]
    .join(`\n\n${'-'.repeat(78)}\n\n`)
    .concat('\n');
}

function licenceText(folder: string): string {
  const manifest = readManifest(folder);
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && LICENCE_FILE.test(entry.name))
    .map(({ name }) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim());
  const author = manifest['author'] as string | { readonly name?: string } | undefined;
  const name = typeof author === 'string' ? author : author?.name;
  const holder = name === undefined ? '' : `Author: ${name}\n`;
  const title = `${manifest.name} ${manifest.version}\nLicence: ${manifest.license ?? 'not stated'}\n`;
  if (files.length === 0) return `${title}${holder}The package contains no text of this licence.`;
  return [title.trim(), ...files].join('\n\n');
}
