import type { CommandNode, OptionNode, Value } from './command-tree.js';

/**
 * Returns the completion script for zsh, with a function for each command. Each function passes its options to
 * `_arguments` (see zshcompsys in zsh's manual).
 */
export function zshScript(root: CommandNode): string {
  return `#compdef ${root.name}
# zsh completion for ${root.name}; written by "${root.name} completion zsh".
${functions(root, `_${root.name}`).join('\n')}
if [ "\${funcstack[1]}" = "_${root.name}" ]; then
  _${root.name} "$@"
else
  compdef _${root.name} ${root.name}
fi
`;
}

function functions(node: CommandNode, name: string): string[] {
  const inner = node.commands.map((command) => ({
    command,
    name: `${name}_${command.name.replaceAll('-', '_')}`,
  }));
  const specs = [...node.options.map(optionSpec), ...node.arguments.map(argumentSpec)];
  if (inner.length === 0) return [`${name}() {\n  _arguments -s \\\n    ${specs.join(' \\\n    ')}\n}`];
  const described = inner.map(({ command }) =>
    quoted(`${escaped(command.name)}:${escaped(command.description)}`),
  );
  const own = `${name}() {
  local state line
  local -a commands=(
    ${described.join('\n    ')}
  )
  _arguments -C \\
    ${[...specs, "'1:command:->command'", "'*::argument:->argument'"].join(' \\\n    ')}
  case $state in
    command) _describe -t commands command commands ;;
    argument)
      case $line[1] in
${inner.map(({ command, name: callee }) => `        ${command.name}) ${callee} ;;`).join('\n')}
      esac ;;
  esac
}`;
  return [own, ...inner.flatMap(({ command, name: callee }) => functions(command, callee))];
}

function optionSpec({ flags, description, value }: OptionNode): string {
  const names = flags.length > 1 ? `'(${flags.join(' ')})'{${flags.join(',')}}` : (flags[0] ?? '');
  // A long option takes its value as the next word or after an equals sign.
  const equals = value === undefined ? '' : '=';
  return `${names}${equals}${quoted(`[${escaped(description)}]${value === undefined ? '' : valueSpec(value)}`)}`;
}

function argumentSpec(value: Value): string {
  return quoted(`:${valueSpec(value).slice(1)}`);
}

function valueSpec({ name, choices }: Value): string {
  return `:${escaped(name)}:${choices.length > 0 ? `(${choices.join(' ')})` : '_files'}`;
}

function escaped(text: string): string {
  return text.replace(/[[\]:\\]/g, '\\$&');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
