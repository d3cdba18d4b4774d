import { Option, type Command } from 'commander';

import { changePlan } from '../../accounts/organization/change-plan.js';
import { insertOrganization } from '../../accounts/organization/insert-organization.js';
import { COMMAND_LINE } from '../../platform/audit-log/audit-entry.js';
import { PLANS, type Plan } from '../../platform/config/plans.js';
import { readOrganizationId, readOrganizationName } from '../arguments.js';
import { print, withDatabase } from '../with-database.js';
import { checkEmail, printOrganization, type OrganizationOptions } from './new-organization.js';

/** Adds the commands about organisations. */
export function addOrganizationCommands(program: Command): void {
  const organizations = program.command('org').description('organisations');

  organizations
    .command('create')
    .description('create an organisation and its owner token, and print the token once')
    .requiredOption('--name <name>', 'name of the organisation', readOrganizationName)
    .addOption(new Option('--plan <plan>', 'plan of the organisation').choices(PLANS).default('free'))
    .option('--email <address>', 'make the owner a member with this e-mail address')
    .option('--json', 'print one JSON object {org_id, api_token}, and member_id with --email')
    .addHelpText(
      'after',
      '\nExample:\n  $ understudy-control-plane org create --name "Acme" --plan team --json',
    )
    .action(async ({ json, ...options }: OrganizationOptions & { name: string }) => {
      await checkEmail(program, options.email);
      const made = await withDatabase((dataSource) =>
        dataSource.transaction((manager) => insertOrganization(manager, { ...options, now: new Date() })),
      );
      printOrganization(made, json);
    });

  organizations
    .command('set-plan')
    .description('change the plan of an organisation; the new limits apply from the next request')
    .requiredOption('--org <id>', 'id of the organisation (org_…)', readOrganizationId)
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
}
