// Starts every `npm run …` script. It is plain Node without dependencies, because a fresh clone has none. It
// installs and builds everything that is missing or out of date. Then it runs the requested script in this
// process, so that signals, exit code and terminal belong to that script. Its own messages go to stderr,
// because stdout belongs to the script.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const NODE = [20, 19];
const LOCK_STALE_MS = 30 * 60_000;
/** The packages that npm has installed. */
const INSTALLED = join(ROOT, 'node_modules', '.package-lock.json');

const TEST_HELP = `Usage: npm test -- [arguments for jest]
Installs PostgreSQL, Redis and NATS if they are missing (see "npm run stack -- ensure --help"), then runs jest in the
root of the checkout. The last line of stdout is "N passed, N failed". The exit code is 0 if no test failed.
With --affected, it runs only the projects that your changes since the branch main affect, committed or not. Nx finds
them; --base=…, --head=… and --files=… go to Nx ("npx nx show projects --help").
Examples:
  npm test
  npm test -- --selectProjects agent
  npm test -- --affected
  npm test -- libs/masking -t 'a sentence about behaviour'`;

const SKEW_HELP = `Usage: npm run skew -- [arguments]
Tests an upgrade from the previous release to this checkout, and old programs and clients with new ones. The last line
of stdout is "N steps, N failed".
Exit codes: 0 every step held, 1 a step failed, 2 the test cannot run.
Example:
  npm run skew -- --json > skew.json`;

const VERBS = {
  quickstart: {
    about: 'copies a sample production database to a safe one and shows the result',
    ...tool('quickstart'),
  },
  test: { about: 'runs all tests on real services; arguments go to jest', help: TEST_HELP, run: test },
  stack: { about: 'up, down, status, logs, load, psql', ...tool('stack') },
  bench: { about: 'measures', ...tool('bench') },
  faults: {
    about: 'injects random faults into a running system and checks the result',
    ...tool('faults'),
  },
  release: { about: 'makes the packages that users install, with checksums', ...tool('release') },
  skew: {
    about: 'tests an upgrade from the previous release',
    help: SKEW_HELP,
    ...program(join(ROOT, 'tools/release/dist/skew/cli.js')),
  },
  check: { about: 'checks format, lint, types, import rule and contract', ...tool('repository', 'check') },
  generate: { about: 'writes the generated code again', ...tool('repository', 'generate') },
  models: { about: 'builds the built-in models again; --check only compares', run: models },
  screenshots: { about: 'makes the pictures of the dashboard in docs/images again', run: screenshots },
  understudy: {
    about: 'runs the command line; relative paths start in your folder',
    file: cliFile(),
    run: understudy,
  },
  build: { about: 'only installs and builds', run: async () => undefined },
  format: { about: 'formats all files, or those that you name', ...packageProgram('oxfmt') },
  lint: { about: 'finds mistakes in all files', ...packageProgram('oxlint', '--deny-warnings') },
};

// The reader of the output may close it early, as in "… --help | head". The script then runs to its end.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error) => {
    if (error.code !== 'EPIPE') throw error;
  });

await main(process.argv[2], process.argv.slice(3));

async function main(name, args) {
  const verb = Object.hasOwn(VERBS, name ?? '') ? VERBS[name] : undefined;
  if (!verb) return usage(name);
  if (!isNodeNewEnough())
    return fail(`expected Node ${NODE.join('.')} or newer, found ${process.versions.node}`);
  if (args.includes('--help') || args[0] === '-h') return help(name, verb, args);
  await withLock(async () => {
    await install();
    if (verb.needsBuild !== false) await build();
  });
  await verb.run(args);
}

/** Prints help without installing or building. A program that is built, perhaps from older files, prints its own. */
async function help(name, { about, file, help: text, run }, args) {
  if (file !== undefined && existsSync(file) && existsSync(INSTALLED)) return run(args);
  const more =
    file === undefined
      ? ''
      : `\n\nThe program is not built yet. After "npm run build", this command lists all options.`;
  console.log(text ?? `Usage: npm run ${name} -- [arguments]\n\n${name}: ${about}${more}`);
}

function usage(name) {
  const help = name === undefined || ['help', '--help', '-h'].includes(name);
  const lines = Object.entries(VERBS).map(([verb, { about }]) => `  ${verb.padEnd(11)} ${about}`);
  const text = `Usage: node tools/run.mjs <verb> [arguments]\n\n${lines.join('\n')}\n\nExample: node tools/run.mjs stack up --help`;
  if (help) return console.log(text);
  fail(`unknown verb "${name}"\n\n${text}`);
}

function isNodeNewEnough() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major > NODE[0] || (major === NODE[0] && minor >= NODE[1]);
}

async function install() {
  const record = join(ROOT, 'node_modules', '.understudy-installed');
  const wanted = createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .digest('hex');
  if (existsSync(record) && readFileSync(record, 'utf8') === wanted) return;
  if (!matchesLockFile()) {
    print('installing packages (npm ci) …');
    const startedAt = performance.now();
    const npm = process.env.npm_execpath?.endsWith('.js')
      ? [process.execPath, process.env.npm_execpath]
      : ['npm'];
    // No package needs its install script, because native parts are prebuilt.
    const options = ['--loglevel=error', '--no-audit', '--no-fund', '--include=dev', '--ignore-scripts'];
    await run([...npm, 'ci', ...options], 'npm ci', { stdout: 'ignore' });
    print(`packages installed (${seconds(startedAt)})`);
  }
  writeFileSync(record, wanted);
}

/**
 * Checks whether the installed packages match package-lock.json. npm records them in
 * node_modules/.package-lock.json, also when the user ran `npm ci` or `npm install` directly.
 */
function matchesLockFile() {
  const installed = packagesIn(INSTALLED);
  const wanted = packagesIn(join(ROOT, 'package-lock.json'));
  if (!installed || !wanted) return false;
  return Object.entries(wanted).every(([path, { version, optional, link }]) => {
    if (path === '' || (!path.includes('node_modules/') && !link)) return true; // skips the workspaces themselves
    const found = installed[path];
    return found === undefined ? optional === true : link === true || found.version === version;
  });
}

function packagesIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined; // the file is missing or incomplete, so the packages are installed
  }
}

async function build() {
  const startedAt = performance.now();
  // `tsc -b` compares times and hashes itself. It ends within a second if nothing has changed.
  await run([process.execPath, join(ROOT, 'node_modules/@typescript/native/bin/tsc'), '-b'], 'the build');
  await run([process.execPath, join(ROOT, 'tools/bundle.mjs')], 'the bundling of the programs');
  const site = join(ROOT, 'apps/dashboard');
  if (isSiteOutdated(site)) {
    const vite = [join(ROOT, 'node_modules/vite/bin/vite.js'), 'build', site, '--logLevel', 'error'];
    await run([process.execPath, ...vite], 'the build of the dashboard');
  }
  if (performance.now() - startedAt > 5_000) print(`built (${seconds(startedAt)})`);
}

/** Returns whether a source file is newer than the built dashboard. */
function isSiteOutdated(site) {
  const built = statSync(join(site, 'dist/site/index.html'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const libraries = readdirSync(join(ROOT, 'libs')).map((name) => join(ROOT, 'libs', name, 'src'));
  const sources = ['src', 'public', 'index.html', 'vite.config.ts'].map((name) => join(site, name));
  return [...libraries, ...sources, join(ROOT, 'clients/typescript/src'), join(ROOT, 'package-lock.json')]
    .flatMap((path) => [
      path,
      ...(statSync(path, { throwIfNoEntry: false })?.isDirectory() ? filesUnder(path) : []),
    ])
    .some((path) => (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > built);
}

function filesUnder(folder) {
  return readdirSync(folder, { recursive: true }).map((name) => join(folder, name));
}

function tool(name, ...first) {
  return program(join(ROOT, 'tools', name, 'dist', 'cli.js'), ...first);
}

function program(file, ...first) {
  return { file, run: (args) => runHere(file, [...first, ...args]) };
}

/** Runs a program of an installed package in the root of the checkout. */
function packageProgram(name, ...first) {
  const file = join(ROOT, 'node_modules/.bin', name);
  const start = (args) => spawnSync(file, [...first, ...args], { cwd: ROOT, stdio: 'inherit' });
  return { file, needsBuild: false, run: (args) => (process.exitCode = start(args).status ?? 1) };
}

function cliFile() {
  return join(ROOT, 'apps/cli/dist/bundle/cli.js');
}

/**
 * Runs the command line in the folder from which npm was called, so that relative paths work. npm itself
 * changes to the checkout.
 */
function understudy(args) {
  process.chdir(process.env.INIT_CWD ?? process.cwd());
  return runHere(cliFile(), args);
}

function models(args) {
  return runHere(join(ROOT, 'models', 'build.mjs'), args);
}

async function test(given) {
  const args = given.includes('--affected') ? affectedOnly(given) : given;
  if (args === undefined) return console.log('0 passed, 0 failed');
  await run([process.execPath, join(ROOT, 'tools/stack/dist/cli.js'), 'ensure'], 'installing the services');
  process.chdir(ROOT);
  process.env.NODE_ENV ??= 'test';
  await runHere(createRequire(join(ROOT, 'package.json')).resolve('jest/bin/jest'), args);
}

/**
 * Asks Nx which projects the changes affect.
 * @returns the arguments with which Jest runs only these projects, or undefined if there is none
 */
function affectedOnly(given) {
  const forNx = given.filter((arg) => /^--(base|head|files)=/.test(arg));
  const nx = createRequire(join(ROOT, 'package.json')).resolve('nx/bin/nx.js');
  const args = [nx, 'show', 'projects', '--affected', '--with-target=test', '--json', ...forNx];
  const found = spawnSync(process.execPath, args, {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 2],
    // Nx would keep what it has found in unchanged files, although a new project may own what they import.
    env: { ...process.env, NX_CACHE_PROJECT_GRAPH: 'false' },
  });
  if (found.status !== 0) exitWith(1, 'Nx did not find the affected projects.');
  const names = JSON.parse(found.stdout).map((project) => project.replace('@understudy/', ''));
  print(`the changes affect ${names.length} projects: ${names.sort().join(', ')}`);
  if (names.length === 0) return undefined;
  const forJest = given.filter((arg) => arg !== '--affected' && !forNx.includes(arg));
  return [...forJest, '--passWithNoTests', '--selectProjects', ...names];
}

/** Starts the dashboard with example data in Chromium, and saves a picture of each screen in both themes. */
function screenshots(args) {
  return test(['--config', 'apps/dashboard/test/screenshots/jest.config.mjs', ...args]);
}

async function runHere(file, args) {
  process.argv = [process.argv[0], file, ...args];
  await import(pathToFileURL(file).href);
}

/** Runs a step that prints to stderr. If the step fails, this process ends with the exit code of the step. */
function run([command, ...args], what, { stdout = 2 } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      stdio: ['ignore', stdout, 2],
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    });
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    const stop = (signal) => {
      child.kill(signal);
      child.once('exit', () => process.exit(128 + constants.signals[signal]));
    };
    for (const signal of signals) process.on(signal, stop);
    child.once('error', (error) => exitWith(1, `${what} could not be started: ${error.message}`));
    child.once('exit', (code, signal) => {
      for (const name of signals) process.off(name, stop);
      if (code === 0) resolve();
      else exitWith(code ?? 1, `${what} failed (${signal ?? `exit code ${code}`}).`);
    });
  });
}

function exitWith(code, text) {
  print(text);
  process.exit(code);
}

/** Runs the work under a lock, so that only one process at a time installs and builds in this checkout. */
async function withLock(work) {
  const folder = join(ROOT, '.nx');
  const lock = join(folder, 'run.lock');
  const mine = join(folder, `run.lock.${process.pid}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(mine, String(process.pid));
  const release = () => {
    if (readLock(lock) === process.pid) rmSync(lock, { force: true });
    rmSync(mine, { force: true });
  };
  process.once('exit', release);
  for (let waits = 0; ; waits++) {
    try {
      linkSync(mine, lock); // atomic: the lock file always contains the process id
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (isStale(lock)) rmSync(lock, { force: true });
    else if (waits === 0) print('waiting for another process that installs or builds in this checkout');
    await new Promise((resolve) => setTimeout(resolve, 150 + Math.random() * 100));
  }
  try {
    await work();
  } finally {
    release();
    process.off('exit', release);
  }
}

function readLock(lock) {
  try {
    return Number(readFileSync(lock, 'utf8'));
  } catch {
    return undefined; // another process has just released the lock
  }
}

function isStale(lock) {
  const holder = readLock(lock);
  if (holder === undefined) return false;
  const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  if (age > LOCK_STALE_MS) return true;
  try {
    process.kill(holder, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

function fail(text) {
  print(text);
  process.exitCode = 1;
}

function print(text) {
  process.stderr.write(`${text}\n`);
}

function seconds(startedAt) {
  return `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
}
