import { Command } from 'commander';
import { completionCommand } from './completion/completion-command.js';
import { generateCommand } from './generate/generate-command.js';
import { initCommand } from './init/init-command.js';
import { withManual } from './manual/manual.js';
import { inspectCommand } from './models/inspect-command.js';
import { sampleCommand } from './models/sample-command.js';
import { cleanCommand } from './sync/kept/clean-command.js';
import { revertCommand } from './sync/kept/revert-command.js';
import { syncCommand } from './sync/sync-command.js';
import { verifyCommand } from './sync/verify-command.js';
import { coloursOf, showsColour } from './terminal/colours.js';
import { trainCommand } from './train/train-command.js';
import { uploadCommand } from './upload/upload-command.js';

/** The version in package.json. A test compares the two. */
export const VERSION = '0.1.0';

/** Returns the program `understudy` with all its commands. A command runs when the caller calls `parseAsync`. */
export function program(): Command {
  const root = withManual(
    new Command('understudy')
      .description(
        'Creates test data that behaves like production data: masked copies of databases, generated records and models. Data goes only to the databases and files that you name, and models go to the API if you upload them.',
      )
      .version(VERSION, '--version', 'print the version')
      .helpOption('-h, --help', 'print this help, with examples'),
    {
      notes: ['"understudy <command> --help" prints the options of a command, with examples.'],
      examples: [
        { purpose: 'write five new first names', run: 'understudy sample en_US/first_names --count 5' },
      ],
    },
  );
  configure(root);
  for (const command of [
    initCommand(),
    syncCommand(),
    verifyCommand(),
    revertCommand(),
    cleanCommand(),
    generateCommand(),
    trainCommand(),
    sampleCommand(),
    inspectCommand(),
    uploadCommand(),
    completionCommand(),
  ])
    root.addCommand(command.copyInheritedSettings(root));
  return root;
}

/** Configures errors, help and colours, which all commands inherit. */
function configure(root: Command): void {
  root
    .exitOverride()
    .helpCommand('help [command]', 'Prints the help of a command.')
    .showHelpAfterError('(run with --help to see the usage)')
    .configureHelp({ styleTitle: (text) => coloursOf({ isTTY: true }).bold(text) })
    .configureOutput({
      // Commander removes the colours if one of these functions returns false.
      getOutHasColors: () => showsColour(process.stdout),
      getErrHasColors: () => showsColour(process.stderr),
      outputError: (text, write) =>
        write(text.replace(/^error:/, coloursOf(process.stderr).red('understudy:'))),
    });
}
