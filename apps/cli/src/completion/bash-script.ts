import type { CommandNode } from './command-tree.js';

/**
 * Returns the completion script for bash. The script contains every command and option, so completion does
 * not start a program. If an option has no fixed list of values, bash proposes file names for its value
 * (`-o default`).
 */
export function bashScript(root: CommandNode): string {
  const nodes = flatten(root, '');
  return [
    `# bash completion for ${root.name}; written by "${root.name} completion bash".`,
    `_${root.name}() {`,
    `  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} at= words= options= i`,
    `  # bash splits "--option=value" into three words`,
    `  if [[ $current == = ]]; then`,
    `    current=`,
    `  elif [[ $previous == = ]]; then`,
    `    previous=\${COMP_WORDS[COMP_CWORD - 2]}`,
    `  fi`,
    `  for ((i = 1; i < COMP_CWORD; i++)); do`,
    `    case "$at \${COMP_WORDS[i]}" in`,
    `      ${patterns(nodes.slice(1).map(({ at }) => at))}) at="$at \${COMP_WORDS[i]}" ;;`,
    `    esac`,
    `  done`,
    `  case "$at $previous" in`,
    `${valueLines(nodes).join('\n')}`,
    `  esac`,
    `  case "$at" in`,
    `${nodes.map(({ at, node }) => `    ${quoted(at)}) words=${quoted(wordsOf(node))} options=${quoted(optionsOf(node))} ;;`).join('\n')}`,
    `  esac`,
    `  [[ $current == -* ]] && words=$options`,
    `  COMPREPLY=($(compgen -W "$words" -- "$current"))`,
    `}`,
    `complete -o default -o bashdefault -F _${root.name} ${root.name}`,
    ``,
  ].join('\n');
}

interface NodeWithPath {
  /** The names of the commands that lead to the node, each preceded by a space. */
  readonly at: string;
  readonly node: CommandNode;
}

function flatten(node: CommandNode, at: string): NodeWithPath[] {
  return [{ at, node }, ...node.commands.flatMap((inner) => flatten(inner, `${at} ${inner.name}`))];
}

/**
 * Returns the `case` lines that complete option values. For an option without choices, the lines propose
 * nothing, so bash proposes file names.
 */
function valueLines(nodes: readonly NodeWithPath[]): string[] {
  const options = nodes.flatMap(({ at, node }) =>
    node.options.flatMap(({ flags, value }) => (value ? [{ at, flags, choices: value.choices }] : [])),
  );
  const line = (which: typeof options, choices: readonly string[]): string =>
    `    ${patterns(which.flatMap(({ at, flags }) => flags.map((flag) => `${at} ${flag}`)))})
      COMPREPLY=($(compgen -W ${quoted(choices.join(' '))} -- "$current"))
      return ;;`;
  return [
    line(
      options.filter(({ choices }) => choices.length === 0),
      [],
    ),
    ...options.filter(({ choices }) => choices.length > 0).map((option) => line([option], option.choices)),
  ];
}

function wordsOf({ commands, arguments: values }: CommandNode): string {
  return [...commands.map(({ name }) => name), ...values.flatMap(({ choices }) => choices)].join(' ');
}

function optionsOf({ options }: CommandNode): string {
  return options.flatMap(({ flags }) => flags.slice(-1)).join(' ');
}

function patterns(texts: readonly string[]): string {
  return texts.map(quoted).join(' | ') || "''";
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
