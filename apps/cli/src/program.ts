import { Command } from 'commander';
import { completionCommand } from './completion/completion-command.js';
import { generateCommand } from './generate/generate-command.js';
import { initCommand } from './init/init-command.js';
import { withManual } from './manual/manual.js';
import { inspectCommand } from './models/inspect-command.js';
import { sampleCommand } from './models/sample-command.js';
import { syncCommand } from './sync/sync-command.js';
import { verifyCommand } from './sync/verify-command.js';
import { coloursOf, showsColour } from './terminal/colours.js';
import { trainCommand } from './train/train-command.js';
import { uploadCommand } from './upload/upload-command.js';

/** The version of package.json; a test compares them. */
export const VERSION = '0.1.0';

/** Every command of `understudy`; none runs before `parseAsync`. */
export function program(): Command {
  const root = withManual(
    new Command('understudy')
      .description(
        'Data that behaves like production data without being it: records, models and masked copies, on this machine alone.',
      )
      .version(VERSION, '--version', 'print the version and end')
      .helpOption('-h, --help', 'print what is possible, with examples, and end'),
    {
      notes: ['"understudy <command> --help" tells the options of a command, with examples.'],
      examples: [
        { says: 'five first names, new ones', run: 'understudy sample en_US/first_names --count 5' },
      ],
    },
  );
  configure(root);
  for (const command of [
    initCommand(),
    syncCommand(),
    verifyCommand(),
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

/** Sets what all commands inherit. */
function configure(root: Command): void {
  root
    .exitOverride()
    .helpCommand('help [command]', 'Prints the help of a command.')
    .showHelpAfterError('(add --help for what is possible)')
    .configureHelp({ styleTitle: (text) => coloursOf({ isTTY: true }).bold(text) })
    .configureOutput({
      // Commander removes the colours if these return false.
      getOutHasColors: () => showsColour(process.stdout),
      getErrHasColors: () => showsColour(process.stderr),
      outputError: (text, write) =>
        write(text.replace(/^error:/, coloursOf(process.stderr).red('understudy:'))),
    });
}
