#!/usr/bin/env node
import 'reflect-metadata';

import { Command, InvalidArgumentError, Option } from 'commander';

import { insertEnrolmentToken } from './agents/insert-enrolment-token.js';
import { readDatabaseConfiguration } from './config/configuration.js';
import { bootstrap } from './organization/bootstrap.js';
import { PLANS, type Plan } from './organization/organization.entity.js';
import { openDataSource } from './persistence/data-source.js';
import { migrate } from './persistence/migrate.js';

const program = new Command('understudy-control-plane')
  .description('One-shot commands of the control plane. The database is UNDERSTUDY_DATABASE_URL.')
  .showHelpAfterError('(add --help for what is possible)');

program
  .command('migrate')
  .description('bring the database schema up to date')
  .addHelpText('after', '\nExample:\n  $ understudy-control-plane migrate')
  .action(async () => {
    const applied = await migrate(readDatabaseConfiguration());
    print(applied.length === 0 ? 'The schema is up to date.' : `Applied ${applied.join(', ')}.`);
  });

program
  .command('bootstrap')
  .description('make the first organisation and its owner token, which is shown once')
  .requiredOption('--org <name>', 'name of the organisation', organizationName)
  .addOption(new Option('--plan <plan>', 'plan of the organisation').choices(PLANS).default('business'))
  .option('--json', 'print one JSON object {org_id, api_token}')
  .addHelpText(
    'after',
    '\nExample:\n  $ understudy-control-plane bootstrap --org "Acme" --plan business --json',
  )
  .action(async ({ org, plan, json }: { org: string; plan: Plan; json?: true }) => {
    const { orgId, apiToken } = await withDatabase((dataSource) =>
      bootstrap(dataSource, { name: org, plan, now: new Date() }),
    );
    if (json) print(JSON.stringify({ org_id: orgId, api_token: apiToken }));
    else print(`Organisation ${orgId}\nOwner token ${apiToken}\nThe token is not shown again.`);
  });

program
  .command('agent')
  .description('agents')
  .command('enrolment-token')
  .description('make a token that enrols one agent within an hour')
  .requiredOption('--org <id>', 'id of the organisation (org_…)', organizationId)
  .option('--json', 'print one JSON object {token, expires_at}')
  .addHelpText('after', '\nExample:\n  $ understudy-control-plane agent enrolment-token --org org_01… --json')
  .action(async ({ org, json }: { org: string; json?: true }) => {
    const { token, expiresAt } = await withDatabase((dataSource) =>
      insertEnrolmentToken(dataSource.manager, { organizationId: org, now: new Date() }),
    );
    if (json) print(JSON.stringify({ token, expires_at: expiresAt.toISOString() }));
    else print(`Enrolment token ${token}\nIt works once, until ${expiresAt.toISOString()}.`);
  });

async function withDatabase<T>(
  work: (dataSource: Awaited<ReturnType<typeof openDataSource>>) => Promise<T>,
): Promise<T> {
  const dataSource = await openDataSource(readDatabaseConfiguration());
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

function organizationName(value: string): string {
  const name = value.trim();
  if (name.length < 1 || name.length > 200) throw new InvalidArgumentError('Expected 1 to 200 characters.');
  return name;
}

function organizationId(value: string): string {
  if (!/^org_[0-9A-HJKMNP-TV-Z]{26}$/.test(value))
    throw new InvalidArgumentError('Expected org_ and 26 characters.');
  return value;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`understudy-control-plane: ${explain(error)}\n`);
  process.exitCode = 1;
});

/** Drivers' messages can name users and hosts of the URL, which the operator knows; never passwords. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  if (Reflect.get(error, 'constraint') === 'enrolment_tokens_organization_id_fkey')
    return 'there is no such organisation';
  const code: unknown = Reflect.get(error, 'code');
  return error.message === '' && typeof code === 'string'
    ? `the database is not reachable (${code})`
    : error.message;
}
