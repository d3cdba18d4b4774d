import type { Command } from 'commander';

import { forgetSubject } from '../../platform/audit-log/forget-subject.js';
import { readMemberId } from '../arguments.js';
import { print, withDatabase } from '../with-database.js';

/** Adds the command that erases the address of a removed member. */
export function addMemberCommand(program: Command): void {
  program
    .command('member')
    .description('members of organisations')
    .command('forget')
    .description('erase the e-mail address of a removed member from the audit log; the entries stay')
    .requiredOption('--member <id>', 'id of the member (mem_…)', readMemberId)
    .addHelpText('after', '\nExample:\n  $ understudy-control-plane member forget --member mem_01…')
    .action(async ({ member }: { member: string }) => {
      const forgotten = await withDatabase((dataSource) =>
        dataSource.transaction((manager) => forgetSubject(manager, member, new Date())),
      );
      if (!forgotten)
        throw new Error('expected a removed member whose address is still stored; remove the member first');
      print('The address is erased.');
    });
}
