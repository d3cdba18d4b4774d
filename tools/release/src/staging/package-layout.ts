import { dirname, join } from 'node:path';

/** The fields of an entry of package-lock.json that decide which packages a program needs. */
export interface LockedPackage {
  /** Marks a link of a workspace. `resolved` is then its folder. */
  readonly link?: boolean;
  readonly resolved?: string;
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** The `packages` of package-lock.json. The keys are folders of the checkout. */
export type LockedPackages = Readonly<Record<string, LockedPackage>>;

/** A package of a tarball. Both paths are relative: to the checkout, and to the folder of the program. */
export interface PlacedPackage {
  readonly from: string;
  readonly to: string;
}

/**
 * Dependencies that no program loads, by package. Their install scripts or their size have no place in a server.
 * Optional dependencies are also left out: each of them has a replacement in JavaScript.
 */
export const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  // It counts installations with an install script, and contains nothing else.
  'swagger-ui-dist': ['@scarf/scarf'],
};

/**
 * Finds the packages that a program needs at run time, in the versions of package-lock.json, and gives each of them
 * a folder from which Node.js resolves it. Of several versions of a package, the top of the tarball gets the one that is
 * at the top of the checkout.
 * @param program the folder of the program in the checkout, such as `apps/agent`
 * @returns the packages in the order of their folders; the first one is the program, in the folder ''
 * @throws Error if package-lock.json lacks a package
 */
export function placePackages(lock: LockedPackages, program: string): readonly PlacedPackage[] {
  const needed = reach(lock, program);
  const placed = new Map([['', program]]);
  for (const [to, from] of placed) {
    for (const name of neededBy(lock, from)) {
      const wanted = locate(lock, from, name);
      const visible = nearest(to, name, (path) => placed.has(path));
      if (visible !== undefined && placed.get(visible) === wanted) continue;
      const top = `node_modules/${name}`;
      const isTop = visible === undefined && (wanted === top || to === '' || !needed.has(top));
      placed.set(isTop ? top : join(to, top), wanted);
    }
  }
  return [...placed].map(([to, from]) => ({ from, to })).sort((a, b) => (a.to < b.to ? -1 : 1));
}

/** Returns the folders of the program and of everything that it needs, in the checkout. */
function reach(lock: LockedPackages, program: string): ReadonlySet<string> {
  const reached = new Set([program]);
  for (const from of reached) for (const name of neededBy(lock, from)) reached.add(locate(lock, from, name));
  return reached;
}

/** Returns the names of the peer dependencies that a package cannot do without. */
export function requiredPeers({
  peerDependencies = {},
  peerDependenciesMeta = {},
}: LockedPackage): readonly string[] {
  return Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
}

function neededBy(lock: LockedPackages, from: string): readonly string[] {
  const entry = lock[from] ?? {};
  const leftOut = LEFT_OUT[packageName(from)] ?? [];
  return [...new Set([...Object.keys(entry.dependencies ?? {}), ...requiredPeers(entry)])]
    .filter((name) => !leftOut.includes(name))
    .sort();
}

function locate(lock: LockedPackages, from: string, name: string): string {
  const path = nearest(from, name, (candidate) => lock[candidate] !== undefined);
  const entry = path === undefined ? undefined : lock[path];
  if (path === undefined || entry === undefined)
    throw new Error(`package-lock.json: expected ${name}, which ${from} needs; run npm install`);
  return entry.link && entry.resolved !== undefined ? entry.resolved : path;
}

/** Returns the folder in which Node.js finds the package, for code in the folder `from`. */
function nearest(from: string, name: string, exists: (path: string) => boolean): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name);
    if (exists(path)) return path;
    if (folder === '' || folder === '.') return undefined;
  }
}

/** Returns the name of a package in a folder such as `node_modules/@hpke/core`. */
function packageName(folder: string): string {
  return folder.split('node_modules/').at(-1) ?? folder;
}
