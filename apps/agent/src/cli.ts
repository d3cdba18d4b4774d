#!/usr/bin/env node
import { Command } from 'commander';

import { readStateDir, ConfigurationError } from './config/agent-configuration.js';
import { printEgress } from './journal/print-egress.js';

const program = new Command('understudy-agent')
  .description('The part of Understudy that runs inside your network.')
  .showHelpAfterError();

program
  .command('egress')
  .description(
    'print every message that the agent sent, oldest first; reads the journal in UNDERSTUDY_AGENT_STATE_DIR',
  )
  .option('--json', 'print one JSON object per line, with the sent bytes in base64', false)
  .action(async ({ json }: { json: boolean }) => {
    await printEgress(readStateDir(), { json, write: (line) => process.stdout.write(`${line}\n`) });
  });

program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`${error instanceof ConfigurationError ? error.message : String(error)}\n`);
  process.exitCode = error instanceof ConfigurationError ? 78 : 1;
});
