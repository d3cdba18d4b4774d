import { InvalidArgumentError, Option, type Command } from 'commander';

import { insertToken, DEFAULT_EXPIRY_DAYS, MAX_EXPIRY_DAYS } from '../../accounts/tokens/insert-token.js';
import { MAX_TOKEN_NAME } from '../../accounts/tokens/token-names.js';
import { COMMAND_LINE } from '../../platform/audit-log/audit-entry.js';
import { ROLES, type Role } from '../../platform/http/pipeline/caller.js';
import { SCOPES, type Scope } from '../../platform/http/pipeline/scope.js';
import { readName, readOrganizationId } from '../arguments.js';
import { print, withDatabase } from '../with-database.js';

/** Adds the command that creates an API token. */
export function addTokenCommand(program: Command): void {
  program
    .command('token')
    .description('API tokens')
    .command('create')
    .description('create an API token of an organisation, and print it once')
    .requiredOption('--org <id>', 'id of the organisation (org_…)', readOrganizationId)
    .addOption(new Option('--role <role>', 'role of the token').choices(ROLES).makeOptionMandatory())
    .option('--name <name>', 'name of the token (default: command line, with a number if needed)', (value) =>
      readName(value, MAX_TOKEN_NAME),
    )
    .addOption(new Option('--scopes <scopes...>', 'restrict the token to these scopes').choices(SCOPES))
    .option(
      '--expires-in-days <days>',
      `days until the token expires, 1 to ${MAX_EXPIRY_DAYS}`,
      readDays,
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
}

interface TokenOptions {
  readonly org: string;
  readonly role: Role;
  readonly name?: string;
  readonly scopes?: Scope[];
  readonly expiresInDays: number;
  readonly json?: true;
}

function readDays(value: string): number {
  if (!/^[1-9]\d{0,2}$/.test(value) || Number(value) > MAX_EXPIRY_DAYS)
    throw new InvalidArgumentError(`Expected 1 to ${MAX_EXPIRY_DAYS}.`);
  return Number(value);
}
