import { LEFT_OUT } from './package-layout.js';

/** A package.json. */
export type Manifest = Readonly<Record<string, unknown>> & {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly files?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
};

const PUBLISHED = [
  'name',
  'version',
  'description',
  'license',
  'type',
  'bin',
  'exports',
  'sideEffects',
] as const;
const REMOVED: readonly string[] = [
  'scripts',
  'devDependencies',
  'optionalDependencies',
  'gypfile',
  'funding',
];

/**
 * Returns the package.json of one of our packages in a tarball. The exports lead to the built files only, because
 * the tarball contains no TypeScript.
 */
export function ownManifest(manifest: Manifest): Manifest {
  const published = Object.fromEntries(
    PUBLISHED.filter((key) => manifest[key] !== undefined).map((key) => [key, manifest[key]]),
  );
  const exports = manifest['exports'];
  return {
    ...published,
    ...(isRecord(exports) ? { exports: builtExports(exports) } : {}),
    ...(manifest.dependencies ? { dependencies: manifest.dependencies } : {}),
  } as Manifest;
}

/**
 * Returns the package.json of a program. The tarball contains all of its dependencies, and npm then installs it
 * without a registry.
 * @param peers the versions of the packages that others need as peers. npm packs only dependencies.
 */
export function programManifest(manifest: Manifest, { engines, platform, peers }: ProgramFacts): Manifest {
  const dependencies = Object.fromEntries(Object.entries({ ...peers, ...manifest.dependencies }).sort());
  return {
    ...ownManifest({ ...manifest, dependencies }),
    engines,
    ...platform,
    bundleDependencies: Object.keys(dependencies),
  } as Manifest;
}

export interface ProgramFacts {
  readonly engines: unknown;
  /** The fields `os`, `cpu` and `libc`. */
  readonly platform: object;
  readonly peers: Readonly<Record<string, string>>;
}

/**
 * Returns the package.json of a package of npm in a tarball, without install scripts and without the packages that
 * the tarball lacks.
 */
export function thirdPartyManifest(manifest: Manifest): Manifest {
  const leftOut = [
    ...(LEFT_OUT[manifest.name] ?? []),
    ...Object.keys((manifest['optionalDependencies'] as object | undefined) ?? {}),
  ];
  const kept = Object.entries(manifest.dependencies ?? {}).filter(([name]) => !leftOut.includes(name));
  return Object.fromEntries(
    Object.entries({
      ...manifest,
      ...(manifest.dependencies ? { dependencies: Object.fromEntries(kept) } : {}),
    }).filter(([key]) => !REMOVED.includes(key)),
  ) as Manifest;
}

function builtExports(exports: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(exports).map(([path, target]) => [path, isRecord(target) ? target['default'] : target]),
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
