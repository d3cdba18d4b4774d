#!/usr/bin/env node
import { resolve } from 'node:path';
import { existsSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from 'commander';
import { loadScript } from './load/load-script.js';
import { ensureBinaries, ensureToolchains, TOOLCHAINS } from '@understudy/testing/provision';
import { runningDatabases } from './stack/running-databases.js';
import { interruptible, LOCAL_WEBHOOKS, LocalSystemError, withSystemLock } from '@understudy/local-system';
import { printLogs, printStack, SERVICES } from './commands/print-stack.js';
import { runPsql } from './commands/run-psql.js';
import { type StackOptions, stackDown, stackFolder, stackStatus, stackUp } from './stack/stack.js';

interface Folder {
  readonly dataDir?: string;
}

interface UpOptions extends Folder {
  readonly json?: boolean;
  readonly plan?: string;
  readonly allowLocalWebhooks?: boolean;
}

const PLANS = ['free', 'starter', 'team', 'business'];

/** Builds the program behind `npm run stack -- …`. */
function stackProgram(): Command {
  const program = new Command('stack')
    .description(
      'Runs PostgreSQL, Redis, NATS, the control plane and an agent as private processes on free ports of 127.0.0.1.',
    )
    .addHelpText('after', EXIT_CODES)
    .showHelpAfterError('(run with --help for the usage)');

  verb(program, 'up', 'Starts all parts of the stack that do not run yet.', '--json')
    .option('--json', 'print only one JSON object with every URL, secret and process id')
    .addOption(
      new Option(
        '--plan <plan>',
        'plan of the organisation, used when it is created (default: business)',
      ).argParser(plan),
    )
    .option('--allow-local-webhooks', 'allow webhooks to reach receivers on this machine (127.0.0.1, ::1)')
    .action(async ({ json, plan: named, allowLocalWebhooks, ...folder }: UpOptions) => {
      const options = {
        ...location(folder),
        log,
        ...(named !== undefined && { plan: named }),
        ...(allowLocalWebhooks && { settings: LOCAL_WEBHOOKS }),
      };
      const info = await interruptible((signal) => stackUp({ ...options, signal }));
      if (json) console.log(JSON.stringify(info));
      else printStack(info, options.dataDir);
    });

  verb(program, 'down', 'Stops every process of the stack. Its data is kept.').action((folder: Folder) =>
    stackDown({ ...location(folder), log }),
  );

  verb(
    program,
    'status',
    'Prints which parts run and respond. The exit code is 0 if all do, otherwise 1.',
    '--json',
  )
    .option('--json', 'print one JSON object')
    .action(async ({ json, ...folder }: Folder & { json?: boolean }) => {
      const services = await stackStatus(location(folder));
      const up = services?.every(({ state }) => state === 'healthy' || state === 'external') ?? false;
      if (json) console.log(JSON.stringify({ up, services: services ?? [] }));
      else if (!services) console.log('No stack was started in this folder. Start one: npm run stack -- up');
      for (const { name, state, pid, url } of json ? [] : (services ?? []))
        console.log(
          `${name.padEnd(14)} ${state.padEnd(10)} ${pid === null ? '' : `pid ${pid}`.padEnd(13)} ${url ?? ''}`,
        );
      if (!up) process.exitCode = 1;
    });

  verb(program, 'logs', 'Prints the last lines of the log of each service, or of one service.', 'agent -n 50')
    .argument('[service]', SERVICES.join(', '))
    .option('-n, --lines <count>', 'number of lines', whole, 30)
    .action((service: string | undefined, { lines, ...folder }: Folder & { lines: number }) =>
      printLogs(stackFolder(location(folder)), service, lines),
    );

  verb(
    program,
    'load',
    "Makes a database on the stack's server and runs a SQL script in it; the script's own CREATE DATABASE and \\c are skipped.",
    'chinook ./Chinook_PostgreSql.sql',
  )
    .argument('<database>', 'name of the database to create')
    .argument('<file>', 'psql script')
    .option('--replace', 'drop an existing database of that name first')
    .action(
      async (database: string, file: string, { replace, ...folder }: Folder & { replace?: boolean }) => {
        const options = { ...location(folder), log };
        const running = await runningDatabases(options);
        const request = { ...running, database, file: userPath(file), replace: replace === true };
        const startedAt = performance.now();
        await withSystemLock(stackFolder(options), { log }, () => loadScript(request));
        console.log(`loaded ${database} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
      },
    );

  verb(
    program,
    'psql',
    'Opens psql on a database of the stack; further arguments go to psql.',
    "chinook -- -c 'SELECT 1'",
  )
    .argument('<database>')
    .argument('[args...]', 'arguments for psql')
    .action(async (database: string, args: string[], folder: Folder) => {
      const running = await runningDatabases({ ...location(folder), log });
      process.exitCode = await runPsql(running, database, args);
    });

  program
    .command('ensure')
    .description(
      'Installs the service programs and the languages that tests need, without starting anything. "npm test" does this first.',
    )
    .addHelpText('after', '\nExample:\n  npm run stack -- ensure')
    .action(async () => {
      await ensureBinaries({ log });
      await ensureToolchains(TOOLCHAINS, log);
    });
  return program;
}

const EXIT_CODES =
  '\nExit codes: 0 done, 1 failed (stderr contains the reason), 130 interrupted. psql: the exit code of psql.';

function verb(program: Command, name: string, description: string, example = ''): Command {
  return program
    .command(name)
    .description(description)
    .option('--data-dir <folder>', 'folder of this stack (default: .understudy in the checkout)')
    .addHelpText('after', `\nExample:\n  npm run stack -- ${name} ${example}`.trimEnd());
}

/** Writes to stderr, because stdout belongs to the result. */
function log(line: string): void {
  process.stderr.write(`${line}\n`);
}

function location({ dataDir }: Folder): Pick<StackOptions, 'dataDir'> {
  return dataDir === undefined ? {} : { dataDir: userPath(dataDir) };
}

/**
 * Resolves a path that the user entered. npm runs scripts in the root of the checkout, and sets INIT_CWD to
 * the folder in which the user called npm.
 */
function userPath(path: string): string {
  const fromUser = resolve(process.env['INIT_CWD'] ?? '.', path);
  return existsSync(fromUser) || !existsSync(path) ? fromUser : resolve(path);
}

function plan(text: string): string {
  if (!PLANS.includes(text)) throw new InvalidArgumentError(`expected one of the plans ${PLANS.join(', ')}`);
  return text;
}

function whole(text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new InvalidArgumentError('expected a whole number');
  return Number(text);
}

stackProgram()
  .parseAsync()
  .catch((error: unknown) => reportFailure(error));

/** Prints the failure and its hint to stderr, and sets exit code 1. */
function reportFailure(error: unknown): void {
  process.exitCode ||= 1;
  if (error instanceof LocalSystemError)
    process.stderr.write(`\n${error.message}\n${error.hint ? `\n→ ${error.hint}\n` : ''}`);
  else process.stderr.write(`\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
}
