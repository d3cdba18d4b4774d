/**
 * Returns the arguments of each call of `understudy` in a shell command line. Splits the line at pipes and other
 * operators, and removes quotes and redirections. Supports only the syntax that the examples of the help use.
 */
export function callsIn(line: string): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  for (const [token, quoted] of tokens(line.replace(/<\(([^)]*)\)/g, '; $1'))) {
    if (!quoted && /^(\||&&|&|;)$/.test(token)) commands.push([]);
    else commands.at(-1)?.push(quoted ? token : token.replace(/^\d?>>?.*/, '\0redirection'));
  }
  return commands
    .map((words) => words.filter((word, i) => word !== '\0redirection' && words[i - 1] !== '\0redirection'))
    .map((words) => words.filter((word, i) => i > 0 || !/^[A-Z_]+=/.test(word)))
    .filter(([name]) => name === 'understudy')
    .map(([, ...args]) => args);
}

function* tokens(line: string): Generator<readonly [text: string, quoted: boolean]> {
  for (const [whole] of line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)) {
    yield [
      whole.replace(/"([^"]*)"|'([^']*)'/g, (_, a?: string, b?: string) => a ?? b ?? ''),
      /["']/.test(whole),
    ];
  }
}
