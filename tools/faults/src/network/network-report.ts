import type { NetworkRound } from './run-network-round.js';

const HEAD = ['what', 'away after', 'attempts', 'back', 'goes on', 'rows kept', 'result'];

/** Returns the rounds as a Markdown table. Times are in seconds. */
export function roundsTable(rounds: readonly NetworkRound[]): string {
  const lines = [HEAD, HEAD.map(() => '---'), ...rounds.map(cells)];
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n');
}

/** Returns one line for a round, and one more for each problem. */
export function describeRound(round: NetworkRound): string {
  const [name = '', ...rest] = cells(round);
  const facts = rest.map((cell, index) => `${HEAD[index + 1]} ${cell}`).join(', ');
  const line = `${round.wrong.length === 0 ? 'ok   ' : 'WRONG'} ${name}: ${facts}`;
  return [line, ...round.wrong.map((one) => `        ${one}`)].join('\n');
}

function cells({
  fault,
  scale,
  dead_after: dead,
  back,
  goes_on: on,
  attempts,
  ...round
}: NetworkRound): string[] {
  const time = (seconds: number | null): string => (seconds === null ? '–' : seconds.toFixed(1));
  const name = scale === 1 ? fault : `${fault} (all times × ${scale})`;
  const result = `${round.status}${round.error === null ? '' : ` \`${round.error}\``}`;
  return [name, time(dead), String(attempts), time(back), time(on), round.rows_kept, result];
}
