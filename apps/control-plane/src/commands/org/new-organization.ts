import type { Command } from 'commander';

import type { NewOrganization } from '../../accounts/organization/insert-organization.js';
import type { Plan } from '../../platform/config/plans.js';
import { print } from '../with-database.js';

/** The options of the commands that create an organisation. */
export interface OrganizationOptions {
  readonly plan: Plan;
  readonly email?: string;
  readonly json?: true;
}

/** Checks an address with the rules of the API. Ends the command if they refuse it. */
export async function checkEmail(program: Command, email: string | undefined): Promise<void> {
  if (email === undefined) return;
  const [{ readDto }, { InviteMemberDto }] = await Promise.all([
    import('../../platform/http/dto/read-dto.js'),
    import('../../accounts/members/members.dto.js'),
  ]);
  const read = readDto(InviteMemberDto, { email, role: 'owner' }, { root: 'email' });
  if ('problems' in read)
    program.error(`error: option '--email <address>': ${read.problems[0]?.message}`, { exitCode: 2 });
}

/** Prints a new organisation and the token of its owner, which nothing shows again. */
export function printOrganization(
  { orgId, memberId, apiToken }: NewOrganization,
  json: true | undefined,
): void {
  if (json) return print(JSON.stringify({ org_id: orgId, member_id: memberId, api_token: apiToken }));
  const owner = memberId === undefined ? '' : `Owner ${memberId}\n`;
  print(`Organisation ${orgId}\n${owner}Owner token ${apiToken}\nThe token is not shown again.`);
}
