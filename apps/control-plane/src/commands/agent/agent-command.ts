import type { Command } from 'commander';

import { insertEnrolmentToken } from '../../agents/registry/enrolment/insert-enrolment-token.js';
import { installLines, type InstallLines } from '../../agents/registry/enrolment/install-lines.js';
import { COMMAND_LINE } from '../../platform/audit-log/audit-entry.js';
import { readPublicUrl } from '../../platform/config/configuration.js';
import { readOrganizationId } from '../arguments.js';
import { print, withDatabase } from '../with-database.js';

/** Adds the command that creates an enrolment token for an agent. */
export function addAgentCommand(program: Command): void {
  program
    .command('agent')
    .description('agents of organisations')
    .command('enrolment-token')
    .description(
      'create a token that enrols one agent within an hour, and print the lines that install the agent',
    )
    .requiredOption('--org <id>', 'id of the organisation (org_…)', readOrganizationId)
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
