/** A file of the release with its checksum. */
export interface ReleasedFile {
  readonly name: string;
  /** SHA-256, in lower-case hexadecimal digits. */
  readonly sha256: string;
}

/**
 * Returns the notes of a version: how to check and install it, the checksums, and its section of the changelog.
 * @throws Error if the changelog has no section for the version
 */
export function releaseNotes(changelog: string, version: string, files: readonly ReleasedFile[]): string {
  const tarballs = files.filter(({ name }) => name.endsWith('.tgz') && name.startsWith('understudy-'));
  return [
    `# Understudy ${version}`,
    'You need Node.js 20.19, 22.12 or newer. Check the files, then install the programs that you want. npm needs no',
    'network and no build tools for it.',
    '',
    '```sh',
    'sha256sum --check SHA256SUMS',
    ...tarballs.map(({ name }) => `npm install --global ./${name}`),
    '```',
    '',
    '## Checksums',
    '',
    '```text',
    ...files.map(checksumLine),
    '```',
    '',
    '## Changes',
    '',
    section(changelog, version),
    '',
  ].join('\n');
}

/** Returns a line of SHA256SUMS, in the format of sha256sum. */
export function checksumLine({ name, sha256 }: ReleasedFile): string {
  return `${sha256}  ${name}`;
}

/** Returns the text of the section `## <version>`, without links to files of the repository. */
function section(changelog: string, version: string): string {
  const lines = changelog.split('\n');
  const start = lines.findIndex((line) => line === `## ${version}` || line.startsWith(`## ${version} `));
  if (start < 0) throw new Error(`CHANGELOG.md: expected a section "## ${version}", found none; add it`);
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith('## '));
  return lines
    .slice(start + 1, length < 0 ? undefined : start + 1 + length)
    .join('\n')
    .replaceAll(/\[([^\]]+)\]\((?!https?:)[^)]*\)/g, '$1')
    .trim();
}
