// Bundles each program that users install into `dist/bundle` of its app, because Node.js needs most of the time of a
// start to find, read and link thousands of small files. It reads the output of `tsc -b`, which has the metadata of
// decorators. See docs/adr/0101-bundle-the-programs.md.
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
/** The built files of each app that start a program. */
const ENTRIES = { cli: ['cli'], agent: ['cli', 'main'], 'control-plane': ['cli', 'main'] };
const APPS = Object.keys(ENTRIES);

/**
 * Packages that a program loads from node_modules, because they read files beside their code. None of them loads a
 * bundled package with whose objects it works, because that package would exist twice.
 */
const EXTERNAL = [
  'fs-native-extensions', // compiled code
  'sodium-native', // compiled code
  'libpg-query', // WebAssembly
  'pino', // starts worker threads
  'piscina', // starts worker threads
  'bullmq', // scripts in Lua
  'ioredis', // reads its package.json, and BullMQ uses it
  '@bull-board/api', // static files
  '@bull-board/fastify', // static files
  '@fastify/view', // templates
  'jsonc-parser', // requires its files by names that rolldown does not follow
];

/** Uses of the path of a file. In a bundle, such a path leads elsewhere. */
const OWN_PATH = /\b__(?:dirname|filename)\b|\bimport\.meta\.(?:dirname|filename|url)\b/;
/** The form in which our code uses its path. */
const JOINED_PATH = /\bjoin\(import\.meta\.dirname, ((?:(?:'[^']*'|"[^"]*")(?:, )?)+)\)/g;
/** A search for a package by its name. It finds the same package from the bundle. */
const PACKAGE_PATH = /\bcreateRequire\(import\.meta\.url\)/g;

/** Bundles the programs whose bundle is missing or older than their code. */
export async function bundlePrograms() {
  const changedAt = Math.max(...inputs().map((path) => statSync(path).mtimeMs));
  const isOutdated = (app) => (statSync(entryOf(app), { throwIfNoEntry: false })?.mtimeMs ?? 0) < changedAt;
  for (const app of APPS.filter(isOutdated)) await bundle(app);
}

function entryOf(app) {
  return join(ROOT, 'apps', app, 'dist/bundle/cli.js');
}

/** Returns the paths of everything that can change a bundle. */
function inputs() {
  const folders = [
    ...APPS.map((app) => `apps/${app}`),
    ...readdirSync(join(ROOT, 'libs')).map((name) => `libs/${name}`),
  ];
  const built = folders
    .map((folder) => join(ROOT, folder, 'dist'))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name)))
    .filter((path) => path.endsWith('.js') && !path.includes(`${sep}bundle${sep}`));
  return [...built, join(ROOT, 'package-lock.json'), fileURLToPath(import.meta.url)];
}

async function bundle(app) {
  const { rolldown } = await import('rolldown');
  const dist = join(ROOT, 'apps', app, 'dist');
  const folder = join(dist, `bundling-${randomUUID()}`);
  mkdirSync(folder); // not mkdtemp, because other users also start the programs
  const replaced = `${folder}-replaced`;
  try {
    const build = await rolldown({
      cwd: ROOT,
      input: Object.fromEntries(ENTRIES[app].map((name) => [name, join(dist, `${name}.js`)])),
      platform: 'node',
      external: EXTERNAL.flatMap((name) => [name, new RegExp(`^${name}/`)]),
      plugins: [followPaths(dist)],
      checks: { bundlerTimings: false }, // a busy machine is no problem of the code
      onLog: (level, log) => {
        if (level === 'warn' && !isOptional(log)) throw new Error(log.message);
      },
    });
    await build.write({ dir: folder, format: 'esm', keepNames: true, sourcemap: true });
    await build.close();
    // A program that starts now finds the old bundle or the new one.
    if (existsSync(join(dist, 'bundle'))) renameSync(join(dist, 'bundle'), replaced);
    renameSync(folder, join(dist, 'bundle'));
  } finally {
    for (const path of [folder, replaced]) rmSync(path, { recursive: true, force: true });
  }
}

/** Returns whether a package of npm tries to load a package that is not installed. */
function isOptional({ code, id = '' }) {
  return code === 'UNRESOLVED_IMPORT' && isThirdParty(id);
}

function isThirdParty(id) {
  return id.includes('/node_modules/');
}

/**
 * Makes the paths in our code lead to the same files from the bundle. A built file becomes an entry of the bundle,
 * because a thread or a process runs it. Every other path leads to a file of an app or a library.
 */
export function followPaths(dist) {
  return {
    name: 'follow-paths',
    load(id) {
      // The maps of `tsc` lead to the sources.
      if (isThirdParty(id) || !existsSync(`${id}.map`)) return undefined;
      return { code: readFileSync(id, 'utf8'), map: readFileSync(`${id}.map`, 'utf8') };
    },
    transform(code, id) {
      if (isThirdParty(id) || !OWN_PATH.test(code)) return undefined;
      const followed = code.replaceAll(JOINED_PATH, (_, parts) => {
        const file = join(dirname(id), ...parts.split(', ').map((part) => part.slice(1, -1)));
        if (!file.endsWith('.js')) return pathInPackage(dist, file);
        const name = basename(file);
        if (file !== join(dist, 'cli.js')) this.emitFile({ type: 'chunk', id: file, fileName: name });
        return `join(import.meta.dirname, '${name}')`;
      });
      // An import at the end keeps the numbers of the lines.
      return { code: `${followed}\nimport { fileURLToPath as pathOf } from 'node:url';\n`, map: null };
    },
    renderChunk(code) {
      const rest = code.replaceAll(JOINED_PATH, '').replaceAll(PACKAGE_PATH, '');
      const line = rest.split('\n').find((text) => OWN_PATH.test(text) && !/^\s*(\*|\/\/)/.test(text));
      if (line !== undefined)
        throw new Error(`expected no path of a file in a bundle, found "${line.trim()}"; see EXTERNAL`);
    },
  };
}

/** Returns an expression for the path of a file that is in an app or in one of its libraries. */
function pathInPackage(dist, file) {
  const app = dirname(dist);
  if (file.startsWith(app + sep))
    return `join(import.meta.dirname, '${relative(join(dist, 'bundle'), file)}')`;
  const folder = join(ROOT, 'libs', relative(join(ROOT, 'libs'), file).split(sep)[0]);
  const { name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return `join(pathOf(import.meta.resolve('${name}')), '${relative(join(folder, 'dist/index.js'), file)}')`;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) bundlePrograms();
