import { Option, type Command } from 'commander';

import { bootstrap } from '../../accounts/organization/bootstrap.js';
import { PLANS } from '../../platform/config/plans.js';
import { readOrganizationName } from '../arguments.js';
import { checkEmail, printOrganization, type OrganizationOptions } from '../org/new-organization.js';
import { withDatabase } from '../with-database.js';

/** Adds the command that creates the first organisation. */
export function addBootstrapCommand(program: Command): void {
  program
    .command('bootstrap')
    .description('create the first organisation and its owner token, and print the token once')
    .requiredOption('--org <name>', 'name of the organisation', readOrganizationName)
    .addOption(new Option('--plan <plan>', 'plan of the organisation').choices(PLANS).default('business'))
    .option('--email <address>', 'make the owner a member with this e-mail address')
    .option('--json', 'print one JSON object {org_id, api_token}, and member_id with --email')
    .addHelpText(
      'after',
      '\nExample:\n  $ understudy-control-plane bootstrap --org "Acme" --plan business --json',
    )
    .action(async ({ org, json, ...options }: OrganizationOptions & { org: string }) => {
      await checkEmail(program, options.email);
      const made = await withDatabase((dataSource) =>
        bootstrap(dataSource, { ...options, name: org, now: new Date() }),
      );
      printOrganization(made, json);
    });
}
