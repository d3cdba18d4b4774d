import { Argument, Command } from 'commander';

import { StandardOutput } from '../io/standard-output.js';
import { type Manual, withManual } from '../manual/manual.js';
import { bashScript } from './bash-script.js';
import { type CommandNode, commandTree } from './command-tree.js';
import { fishScript } from './fish-script.js';
import { zshScript } from './zsh-script.js';

const SCRIPTS: Readonly<Record<string, (root: CommandNode) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

const MANUAL: Manual = {
  notes: [
    'The script completes commands, options, their choices and file names. It contains the commands of this version of understudy, so write it again after an update.',
  ],
  examples: [
    { purpose: 'complete in this bash session', run: 'source <(understudy completion bash)' },
    {
      purpose: 'complete in every new bash session (needs the package bash-completion)',
      run: 'understudy completion bash > ~/.local/share/bash-completion/completions/understudy',
    },
    {
      purpose: 'complete in zsh (the folder must be in $fpath)',
      run: 'understudy completion zsh > ~/.zfunc/_understudy',
    },
    {
      purpose: 'complete in fish',
      run: 'understudy completion fish > ~/.config/fish/completions/understudy.fish',
    },
  ],
};

export function completionCommand(): Command {
  const command = new Command('completion')
    .description('Prints a script that makes a shell complete understudy commands with the Tab key.')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SCRIPTS)))
    .action(async (shell: string) => {
      const root = command.parent ?? command;
      await new StandardOutput().write(SCRIPTS[shell]?.(commandTree(root)) ?? '');
    });
  return withManual(command, MANUAL);
}
