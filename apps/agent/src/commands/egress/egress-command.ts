import { Command } from 'commander';

import { readStateDir } from '../../config/environment.js';
import { withManual } from '../manual.js';

export function egressCommand(): Command {
  return withManual(
    new Command('egress')
      .description('Prints every message that the agent sent and still has in its journal, oldest first.')
      .option('--json', 'print one JSON object per line, with the sent bytes in base64')
      .helpOption('-h, --help', 'print this help, with examples')
      .action(async ({ json = false }: { json?: boolean }) => {
        const { printEgress } = await import('../../journal/print-egress.js');
        await printEgress(readStateDir(), { json, write: (line) => process.stdout.write(`${line}\n`) });
      }),
    {
      notes: ['Reads only the folder in UNDERSTUDY_AGENT_STATE_DIR. The agent may be running.'],
      examples: [
        { purpose: 'print the messages in a form for people', run: 'understudy-agent egress' },
        { purpose: 'write them to a file', run: 'understudy-agent egress --json > egress.ndjson' },
      ],
      exitCodes: { 0: 'success' },
    },
  );
}
