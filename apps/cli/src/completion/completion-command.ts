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
    'The script completes commands, options, their choices and names of files. It holds what this version of understudy knows: write it anew after an update.',
  ],
  examples: [
    { says: 'bash, for this shell', run: 'source <(understudy completion bash)' },
    {
      says: 'bash, for all to come (with the package bash-completion)',
      run: 'understudy completion bash > ~/.local/share/bash-completion/completions/understudy',
    },
    { says: 'zsh, into a folder of $fpath', run: 'understudy completion zsh > ~/.zfunc/_understudy' },
    { says: 'fish', run: 'understudy completion fish > ~/.config/fish/completions/understudy.fish' },
  ],
};

export function completionCommand(): Command {
  const command = new Command('completion')
    .description('Writes a script that lets a shell complete understudy with the Tab key.')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SCRIPTS)))
    .action(async (shell: string) => {
      const root = command.parent ?? command;
      await new StandardOutput().write(SCRIPTS[shell]?.(commandTree(root)) ?? '');
    });
  return withManual(command, MANUAL);
}
