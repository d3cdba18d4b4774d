import { createHash } from 'node:crypto';

import { run } from '../run-program.js';
import { readManifest, type StagedProgram } from '../staging/stage-program.js';

/** A component of a CycloneDX document. */
export interface Component {
  readonly name: string;
  readonly version: string;
  readonly licenses?: readonly {
    readonly license?: { readonly id?: string };
    readonly expression?: string;
  }[];
}

/** The fields of a CycloneDX document that the release reads or sets. */
export interface BillOfMaterials {
  serialNumber: string;
  readonly metadata: { timestamp: string; readonly component: { name: string } };
  readonly components: readonly Component[];
}

/** The licences of packages in a tarball. Each allows everybody to redistribute the package with its notice. */
export const ALLOWED_LICENCES: readonly string[] = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'Unlicense',
  'Zlib',
];

/**
 * Writes the bill of materials of a staged program with `npm sbom`. Its serial number depends only on the components,
 * so that the same commit gives the same bytes.
 * @param timestamp the time of the commit, in ISO 8601
 * @throws Error if a package is missing from the list, has no licence, or has one that is not allowed
 */
export async function writeBillOfMaterials(staged: StagedProgram, timestamp: string): Promise<string> {
  const output = await run('npm', ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev'], {
    cwd: staged.folder,
  });
  const bill = JSON.parse(output) as BillOfMaterials;
  checkComponents(bill.components, staged);
  bill.metadata.timestamp = timestamp;
  bill.metadata.component.name = readManifest(staged.folder).name;
  bill.serialNumber = `urn:uuid:${uuidOf(JSON.stringify(bill.components))}`;
  return `${JSON.stringify(bill, undefined, 2)}\n`;
}

/** Compares the components with the staged packages, in both directions, and checks the licences. */
export function checkComponents(
  components: readonly Component[],
  staged: Pick<StagedProgram, 'folder' | 'packages'>,
): void {
  const listed = new Set(components.map(({ name, version }) => `${name}@${version}`));
  const packed = new Set(
    staged.packages
      .filter(({ to }) => to !== '')
      .map(({ to }) => readManifest(`${staged.folder}/${to}`))
      .map(({ name, version }) => `${name}@${version}`),
  );
  const problems = [
    ...[...packed]
      .filter((id) => !listed.has(id))
      .map((id) => `${id} is packed, but npm sbom does not list it`),
    ...[...listed].filter((id) => !packed.has(id)).map((id) => `npm sbom lists ${id}, which is not packed`),
    ...components.flatMap(licenceProblem),
  ];
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

function licenceProblem({ name, version, licenses = [] }: Component): string[] {
  const stated = licenses.map(({ license, expression }) => license?.id ?? expression ?? '');
  const ids = stated.flatMap((text) => text.split(/\s+(?:AND|OR)\s+|[()]/)).filter((id) => id !== '');
  if (ids.length === 0) return [`${name}@${version}: expected a licence, found none`];
  return ids
    .filter((id) => !ALLOWED_LICENCES.includes(id))
    .map((id) => `${name}@${version}: the licence ${id} is not in ALLOWED_LICENCES`);
}

/** Returns a UUID of version 8, which RFC 9562 leaves to applications. */
function uuidOf(text: string): string {
  const digits = createHash('sha256').update(text).digest('hex');
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-');
}
