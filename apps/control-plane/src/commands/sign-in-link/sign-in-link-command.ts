import { InvalidArgumentError, type Command } from 'commander';

import { readPublicUrl } from '../../platform/config/configuration.js';
import { readMemberId, readOrganizationId } from '../arguments.js';
import { print, withDatabase } from '../with-database.js';

/** Adds the command that creates a link to sign in to the dashboard. */
export function addSignInLinkCommand(program: Command): void {
  program
    .command('sign-in-link')
    .description('create a link with which a member signs in to the dashboard once within 10 minutes')
    .requiredOption('--member <member>', 'e-mail address or id (mem_…) of the member', readMemberReference)
    .option('--org <id>', 'id of the organisation (org_…), if the address is in several', readOrganizationId)
    .option('--json', 'print one JSON object {member_id, url, expires_at}')
    .addHelpText(
      'after',
      '\nThe link starts with UNDERSTUDY_PUBLIC_URL.\n' +
        '\nExample:\n  $ understudy-control-plane sign-in-link --member ada@example.com',
    )
    .action(async ({ member, org, json }: { member: string; org?: string; json?: true }) => {
      const { createSignInLink } = await import('../../accounts/sessions/sign-in/create-sign-in-link.js');
      const request = { member, organizationId: org ?? null, publicUrl: readPublicUrl(), now: new Date() };
      const { memberId, url, expiresAt } = await withDatabase((dataSource) =>
        dataSource.transaction((manager) => createSignInLink(manager, request)),
      );
      if (json) print(JSON.stringify({ member_id: memberId, url, expires_at: expiresAt.toISOString() }));
      else print(`${url}\nThe link works once, until ${expiresAt.toISOString()}.`);
    });
}

function readMemberReference(value: string): string {
  if (value.startsWith('mem_')) return readMemberId(value);
  if (!value.includes('@') || value.length > 254)
    throw new InvalidArgumentError('Expected an e-mail address or mem_ and 26 characters.');
  return value;
}
