import { Command } from 'commander';

import { EXIT_CODES_HELP } from './exit-code.js';
import { generateCommand } from './generate/generate-command.js';
import { inspectCommand } from './models/inspect-command.js';
import { sampleCommand } from './models/sample-command.js';
import { trainCommand } from './train/train-command.js';

const HELP = `
Example:
  $ understudy sample en_US/first_names --count 5

"understudy <command> --help" tells the options of a command, with examples.
${EXIT_CODES_HELP}`;

export function program(): Command {
  const root = new Command('understudy')
    .description(
      'Data that behaves like production data without being it: records and models, on this machine alone.',
    )
    .addHelpText('after', HELP);
  for (const command of [generateCommand(), trainCommand(), sampleCommand(), inspectCommand()])
    root.addCommand(command.copyInheritedSettings(root));
  for (const command of [root, ...root.commands])
    command.exitOverride().showHelpAfterError('(add --help for what is possible)');
  return root;
}
