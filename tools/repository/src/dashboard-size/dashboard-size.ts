import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A chunk in Vite's manifest. `imports` and `dynamicImports` are keys of the manifest. */
interface Chunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly isDynamicEntry?: boolean;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
  readonly css?: readonly string[];
}

type Manifest = Readonly<Record<string, Chunk>>;

const KIB = 1024;

/** The largest sizes of scripts and style sheets in bytes, compressed with gzip. */
const LIMITS = {
  /** Everything that each page loads. */
  shell: 260 * KIB,
  /** A lazy part, without everything that is loaded before it. */
  route: 100 * KIB,
  /** A lazy part with the text editor, which is in a folder `editor`. */
  editor: 140 * KIB,
} as const;

/**
 * Checks the sizes of the built dashboard.
 * @returns the sizes of the shell and of the largest parts
 * @throws Error with each part that is too large, or if the dashboard is not built
 */
export async function dashboardSizeHolds(root: string): Promise<string> {
  const site = join(root, 'apps/dashboard/dist/site');
  const file = join(site, '.vite/manifest.json');
  if (!existsSync(file)) throw new Error('expected a built dashboard, found none: run npm run build');
  const parts = partsOf(JSON.parse(readFileSync(file, 'utf8')) as Manifest).map(({ name, kind, files }) => ({
    name,
    kind,
    bytes: files.reduce((sum, each) => sum + statSync(join(site, `${each}.gz`)).size, 0),
  }));
  const text = ({ name, bytes }: { name: string; bytes: number }) =>
    `${name} ${(bytes / KIB).toFixed(1)} KiB`;
  const large = parts.filter(({ kind, bytes }) => bytes > LIMITS[kind]);
  if (large.length > 0)
    throw new Error(large.map((part) => `${text(part)}; at most ${LIMITS[part.kind] / KIB} KiB`).join('\n'));
  const [shell, ...others] = [...parts].sort(
    (a, b) => Number(b.kind === 'shell') - Number(a.kind === 'shell') || b.bytes - a.bytes,
  );
  return [shell, ...others.slice(0, 2)].flatMap((part) => (part ? [text(part)] : [])).join(', ');
}

interface Part {
  readonly name: string;
  readonly kind: keyof typeof LIMITS;
  /** The scripts and style sheets. For a lazy part, only the ones that are not loaded before it. */
  readonly files: readonly string[];
}

/** @throws Error if there is not exactly one entry */
function partsOf(manifest: Manifest): readonly Part[] {
  const entries = Object.keys(manifest).filter((key) => manifest[key]?.isEntry);
  const [entry] = entries;
  if (entry === undefined || entries.length > 1)
    throw new Error(`expected one entry in the manifest of the dashboard, found ${entries.length}`);
  const shell = filesOf(manifest, entry);
  const lazy = Object.keys(manifest).filter((key) => manifest[key]?.isDynamicEntry);
  return [
    { name: 'shell', kind: 'shell', files: [...shell] },
    ...lazy.map((key) => ({
      name: key.replace(/^.*src\//, ''),
      kind: /\/editor\//.test(key) ? ('editor' as const) : ('route' as const),
      files: [...filesOf(manifest, key)].filter(
        (each) => !shell.has(each) && !isLoadedBefore(manifest, key, each),
      ),
    })),
  ];
}

/** Checks whether each chunk that imports the part when it is needed has loaded the file itself. */
function isLoadedBefore(manifest: Manifest, part: string, file: string): boolean {
  const importers = Object.keys(manifest).filter((key) => manifest[key]?.dynamicImports?.includes(part));
  return importers.length > 0 && importers.every((key) => filesOf(manifest, key).has(file));
}

/** Returns the scripts and style sheets of a chunk and of all chunks that it imports at once. */
function filesOf(manifest: Manifest, key: string, found = new Set<string>()): ReadonlySet<string> {
  const chunk = manifest[key];
  if (!chunk || found.has(chunk.file)) return found;
  found.add(chunk.file);
  for (const sheet of chunk.css ?? []) found.add(sheet);
  for (const imported of chunk.imports ?? []) filesOf(manifest, imported, found);
  return found;
}
