import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { VariablesFileError, withConfigOption } from '@understudy/operator-commands';
import type { DataSource } from 'typeorm';

import { insertEnrolmentToken } from './agents/registry/enrolment/insert-enrolment-token.js';
import {
  installLines,
  PACKAGE_VERSION,
  type InstallLines,
} from './agents/registry/enrolment/install-lines.js';
import { checkCommand } from './commands/check/check-command.js';
import { devCommand } from './commands/dev/dev-command.js';
import { composeEnvironmentCommand } from './commands/init/compose-environment-command.js';
import { initCommand } from './commands/init/init-command.js';
import { natsConfigurationCommand } from './commands/nats-configuration/nats-configuration-command.js';
import { serviceCommand } from './commands/service/service-command.js';
import { startCommand } from './commands/start/start-command.js';
import {
  ConfigurationError,
  readDatabaseConfiguration,
  readPublicUrl,
} from './platform/config/configuration.js';
import { operationsMarkdown } from './platform/http/operations/operations-markdown.js';
import { OPERATIONS } from './platform/http/operations/operations.js';
import { COMMAND_LINE } from './platform/audit-log/audit-entry.js';
import { forgetSubject } from './platform/audit-log/forget-subject.js';
import { PLANS, type Plan } from './platform/config/plans.js';
import { isName } from './platform/http/dto/comparable-text.js';
import { ROLES, type Role } from './platform/http/pipeline/caller.js';
import { SCOPES, type Scope } from './platform/http/pipeline/scope.js';
import { bootstrap } from './accounts/organization/bootstrap.js';
import { changePlan } from './accounts/organization/change-plan.js';
import { insertOrganization, type NewOrganization } from './accounts/organization/insert-organization.js';
import { insertToken, DEFAULT_EXPIRY_DAYS, MAX_EXPIRY_DAYS } from './accounts/tokens/insert-token.js';
import { MAX_TOKEN_NAME } from './accounts/tokens/token-names.js';

// Commands import the database code and the API description themselves when they need them. Loading both
// takes five times as long as the rest.

const program = withConfigOption(new Command('understudy-control-plane'))
  .description('The control plane and the commands of its operator.')
  .version(PACKAGE_VERSION, '--version', 'print the version')
  .exitOverride()
  .showHelpAfterError('(run with --help for the available options)')
  .addHelpText(
    'after',
    '\nExit codes:\n  0  success\n  1  the command failed\n  2  the configuration, an argument or an option is invalid',
  );

for (const command of [
  startCommand(),
  devCommand(),
  serviceCommand(),
  initCommand(),
  checkCommand(),
  natsConfigurationCommand(),
  composeEnvironmentCommand(),
])
  program.addCommand(command.copyInheritedSettings(program));

program
  .command('migrate')
  .description('bring the database schema up to date')
  .addHelpText('after', '\nExample:\n  $ understudy-control-plane migrate')
  .action(async () => {
    const { migrate } = await import('./platform/persistence/migrate.js');
    const applied = await migrate(readDatabaseConfiguration());
    print(applied.length === 0 ? 'The schema is up to date.' : `Applied ${applied.join(', ')}.`);
  });

program
  .command('bootstrap')
  .description('create the first organisation and its owner token, and print the token once')
  .requiredOption('--org <name>', 'name of the organisation', organizationName)
  .addOption(new Option('--plan <plan>', 'plan of the organisation').choices(PLANS).default('business'))
  .option('--email <address>', 'make the owner a member with this e-mail address')
  .option('--json', 'print one JSON object {org_id, api_token}, and member_id with --email')
  .addHelpText(
    'after',
    '\nExample:\n  $ understudy-control-plane bootstrap --org "Acme" --plan business --json',
  )
  .action(async ({ org, json, ...options }: OrganizationOptions & { org: string }) => {
    await checkEmail(options.email);
    const made = await withDatabase((dataSource) =>
      bootstrap(dataSource, { ...options, name: org, now: new Date() }),
    );
    printOrganization(made, json);
  });

interface OrganizationOptions {
  readonly plan: Plan;
  readonly email?: string;
  readonly json?: true;
}

const organizations = program.command('org').description('organisations');

organizations
  .command('create')
  .description('create an organisation and its owner token, and print the token once')
  .requiredOption('--name <name>', 'name of the organisation', organizationName)
  .addOption(new Option('--plan <plan>', 'plan of the organisation').choices(PLANS).default('free'))
  .option('--email <address>', 'make the owner a member with this e-mail address')
  .option('--json', 'print one JSON object {org_id, api_token}, and member_id with --email')
  .addHelpText(
    'after',
    '\nExample:\n  $ understudy-control-plane org create --name "Acme" --plan team --json',
  )
  .action(async ({ json, ...options }: OrganizationOptions & { name: string }) => {
    await checkEmail(options.email);
    const made = await withDatabase((dataSource) =>
      dataSource.transaction((manager) => insertOrganization(manager, { ...options, now: new Date() })),
    );
    printOrganization(made, json);
  });

organizations
  .command('set-plan')
  .description('change the plan of an organisation; the new limits apply from the next request')
  .requiredOption('--org <id>', 'id of the organisation (org_…)', organizationId)
  .addOption(new Option('--plan <plan>', 'the new plan').choices(PLANS).makeOptionMandatory())
  .option('--json', 'print one JSON object {org_id, plan, plan_before}')
  .addHelpText('after', '\nExample:\n  $ understudy-control-plane org set-plan --org org_01… --plan team')
  .action(async ({ org, plan, json }: { org: string; plan: Plan; json?: true }) => {
    const change = { organizationId: org, plan, now: new Date(), actor: COMMAND_LINE, requestId: null };
    const before = await withDatabase((dataSource) =>
      dataSource.transaction((manager) => changePlan(manager, change)),
    );
    if (before === undefined) throw new Error('expected the id of an existing organisation');
    if (json) print(JSON.stringify({ org_id: org, plan, plan_before: before }));
    else print(before === plan ? `The plan is already ${plan}.` : `The plan is ${plan}; it was ${before}.`);
  });

program
  .command('token')
  .description('API tokens')
  .command('create')
  .description('create an API token of an organisation, and print it once')
  .requiredOption('--org <id>', 'id of the organisation (org_…)', organizationId)
  .addOption(new Option('--role <role>', 'role of the token').choices(ROLES).makeOptionMandatory())
  .option('--name <name>', 'name of the token (default: command line, with a number if needed)', tokenName)
  .addOption(new Option('--scopes <scopes...>', 'restrict the token to these scopes').choices(SCOPES))
  .option(
    '--expires-in-days <days>',
    `days until the token expires, 1 to ${MAX_EXPIRY_DAYS}`,
    days,
    DEFAULT_EXPIRY_DAYS,
  )
  .option('--json', 'print one JSON object {id, token, expires_at}')
  .addHelpText(
    'after',
    '\nExample:\n  $ understudy-control-plane token create --org org_01… --role admin --json',
  )
  .action(async (options: TokenOptions) => {
    const { org: organizationId, role, name, scopes = null, expiresInDays, json } = options;
    const named = name === undefined ? { name: 'command line', isNumbered: true } : { name };
    const request = { organizationId, role, ...named, scopes, expiresInDays, now: new Date() };
    const { id, token, expiresAt } = await withDatabase((dataSource) =>
      dataSource.transaction((manager) =>
        insertToken(manager, { ...request, actor: COMMAND_LINE, requestId: null }),
      ),
    );
    if (json) print(JSON.stringify({ id, token, expires_at: expiresAt.toISOString() }));
    else print(`Token ${token}\nIt is not shown again. It expires at ${expiresAt.toISOString()}.`);
  });

interface TokenOptions {
  readonly org: string;
  readonly role: Role;
  readonly name?: string;
  readonly scopes?: Scope[];
  readonly expiresInDays: number;
  readonly json?: true;
}

program
  .command('member')
  .description('members of organisations')
  .command('forget')
  .description('erase the e-mail address of a removed member from the audit log; the entries stay')
  .requiredOption('--member <id>', 'id of the member (mem_…)', memberId)
  .addHelpText('after', '\nExample:\n  $ understudy-control-plane member forget --member mem_01…')
  .action(async ({ member }: { member: string }) => {
    const forgotten = await withDatabase((dataSource) =>
      dataSource.transaction((manager) => forgetSubject(manager, member, new Date())),
    );
    if (!forgotten)
      throw new Error('expected a removed member whose address is still stored; remove the member first');
    print('The address is erased.');
  });

program
  .command('sign-in-link')
  .description('create a link with which a member signs in to the dashboard once within 10 minutes')
  .requiredOption('--member <member>', 'e-mail address or id (mem_…) of the member', memberReference)
  .option('--org <id>', 'id of the organisation (org_…), if the address is in several', organizationId)
  .option('--json', 'print one JSON object {member_id, url, expires_at}')
  .addHelpText(
    'after',
    '\nThe link starts with UNDERSTUDY_PUBLIC_URL.\n' +
      '\nExample:\n  $ understudy-control-plane sign-in-link --member ada@example.com',
  )
  .action(async ({ member, org, json }: { member: string; org?: string; json?: true }) => {
    const { createSignInLink } = await import('./accounts/sessions/sign-in/create-sign-in-link.js');
    const request = { member, organizationId: org ?? null, publicUrl: readPublicUrl(), now: new Date() };
    const { memberId, url, expiresAt } = await withDatabase((dataSource) =>
      dataSource.transaction((manager) => createSignInLink(manager, request)),
    );
    if (json) print(JSON.stringify({ member_id: memberId, url, expires_at: expiresAt.toISOString() }));
    else print(`${url}\nThe link works once, until ${expiresAt.toISOString()}.`);
  });

program
  .command('agent')
  .description('agents of organisations')
  .command('enrolment-token')
  .description(
    'create a token that enrols one agent within an hour, and print the lines that install the agent',
  )
  .requiredOption('--org <id>', 'id of the organisation (org_…)', organizationId)
  .option('--json', 'print one JSON object {token, expires_at, install}')
  .addHelpText(
    'after',
    '\nThe lines contain UNDERSTUDY_PUBLIC_URL, and not the token.\n' +
      '\nExample:\n  $ understudy-control-plane agent enrolment-token --org org_01… --json',
  )
  .action(async ({ org, json }: { org: string; json?: true }) => {
    const install = installLines(readPublicUrl());
    const { token, expiresAt } = await withDatabase((dataSource) =>
      dataSource.transaction((manager) =>
        insertEnrolmentToken(manager, {
          organizationId: org,
          now: new Date(),
          actor: COMMAND_LINE,
          requestId: null,
        }),
      ),
    );
    if (json) print(JSON.stringify({ token, expires_at: expiresAt.toISOString(), install }));
    else
      print(
        `Enrolment token ${token}\nIt works once, until ${expiresAt.toISOString()}.${linesText(install)}`,
      );
  });

program
  .command('operations')
  .description('print the operations of the API with their roles and scopes, as Markdown')
  .addHelpText('after', '\nExample:\n  $ understudy-control-plane operations > api.md')
  .action(() => print(operationsMarkdown(OPERATIONS).trimEnd()));

program
  .command('openapi')
  .description('print the OpenAPI document of the API')
  .addHelpText('after', '\nExample:\n  $ understudy-control-plane openapi > openapi.json')
  .action(async () => {
    const { API_DESCRIPTION } = await import('./api-description/api-description.js');
    print(JSON.stringify(API_DESCRIPTION, undefined, 2));
  });

async function withDatabase<T>(work: (dataSource: DataSource) => Promise<T>): Promise<T> {
  const { openDataSource } = await import('./platform/persistence/data-source.js');
  const dataSource = await openDataSource(readDatabaseConfiguration());
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

function organizationName(value: string): string {
  const name = value.trim();
  if (!isName(name, 200)) throw new InvalidArgumentError(`Expected 1 to 200 characters, ${NOT_INVISIBLE}.`);
  return name;
}

const NOT_INVISIBLE = 'not all of them invisible';

/** Checks an address with the rules of the API. Ends the command if they refuse it. */
async function checkEmail(email: string | undefined): Promise<void> {
  if (email === undefined) return;
  const [{ readDto }, { InviteMemberDto }] = await Promise.all([
    import('./platform/http/dto/read-dto.js'),
    import('./accounts/members/members.dto.js'),
  ]);
  const read = readDto(InviteMemberDto, { email, role: 'owner' }, { root: 'email' });
  if ('problems' in read)
    program.error(`error: option '--email <address>': ${read.problems[0]?.message}`, { exitCode: 2 });
}

function printOrganization({ orgId, memberId, apiToken }: NewOrganization, json: true | undefined): void {
  if (json) return print(JSON.stringify({ org_id: orgId, member_id: memberId, api_token: apiToken }));
  const owner = memberId === undefined ? '' : `Owner ${memberId}\n`;
  print(`Organisation ${orgId}\n${owner}Owner token ${apiToken}\nThe token is not shown again.`);
}

function linesText({ npm, container, helm }: InstallLines): string {
  const way = (title: string, lines: readonly string[]) => `\n\n${title}:\n${lines.join(' &&\n')}`;
  return (
    '\n\nInstall the agent in one of three ways. Paste the token when a command waits for it.' +
    way('npm and systemd, in a folder with policy.yaml', npm) +
    way('Docker or Podman, in a folder with policy.yaml', container) +
    way('Helm, in a folder with values.yaml', helm)
  );
}

function tokenName(value: string): string {
  if (!isName(value, MAX_TOKEN_NAME))
    throw new InvalidArgumentError(`Expected 1 to ${MAX_TOKEN_NAME} characters, ${NOT_INVISIBLE}.`);
  return value;
}

function days(value: string): number {
  if (!/^[1-9]\d{0,2}$/.test(value) || Number(value) > MAX_EXPIRY_DAYS)
    throw new InvalidArgumentError(`Expected 1 to ${MAX_EXPIRY_DAYS}.`);
  return Number(value);
}

function organizationId(value: string): string {
  if (!/^org_[0-9A-HJKMNP-TV-Z]{26}$/.test(value))
    throw new InvalidArgumentError('Expected org_ and 26 characters.');
  return value;
}

function memberReference(value: string): string {
  if (value.startsWith('mem_')) return memberId(value);
  if (!value.includes('@') || value.length > 254)
    throw new InvalidArgumentError('Expected an e-mail address or mem_ and 26 characters.');
  return value;
}

function memberId(value: string): string {
  if (!/^mem_[0-9A-HJKMNP-TV-Z]{26}$/.test(value))
    throw new InvalidArgumentError('Expected mem_ and 26 characters.');
  return value;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Runs one command. If it fails, prints the error to stderr and sets the exit code of the process. */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  await program.parseAsync(args, { from: 'user' }).catch((error: unknown) => {
    const code = reportError(error);
    process.exitCode ||= code; // an interrupt has set 130
  });
}

/** Prints an error without a stack. @returns the exit code */
function reportError(error: unknown): number {
  // Commander has already printed its error. Requested help arrives here with exit code 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  process.stderr.write(`understudy-control-plane: ${explain(error)}\n`);
  return error instanceof ConfigurationError || error instanceof VariablesFileError ? 2 : 1;
}

/**
 * Returns the text for the error output. A driver's message can contain users and hosts of the database URL,
 * which the operator knows. The message never contains passwords.
 */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  const constraint: unknown = Reflect.get(error, 'constraint');
  if (typeof constraint === 'string' && constraint.endsWith('_organization_id_fkey'))
    return 'expected the id of an existing organisation';
  const code: unknown = Reflect.get(error, 'code');
  return error.message === '' && typeof code === 'string'
    ? `the database is not reachable (${code})`
    : error.message;
}
