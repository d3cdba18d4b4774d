import { text } from 'node:stream/consumers';

// Reads the output of the quickstart from stdin and prints a picture of its main lines, as SVG:
//   npm run quickstart -- --exit | node tools/quickstart/dist/terminal-picture.js > docs/quickstart.svg

const COLUMNS = 118;
const [CHARACTER_WIDTH, LINE_HEIGHT, MARGIN] = [7.8, 18, 16];
const COLORS = { page: '#0d1117', text: '#c9d1d9', heading: '#79c0ff', before: '#8b949e', after: '#7ee787' };

/** Matches the lines that the picture shows. It leaves out requests, progress and JSON. */
const SHOWN = /^(\[\d\/\d\]|before |after | +id +first_name|\d+ rows in|Verified|Trained|\s*done in|$)/;
const BEFORE_AFTER_ROWS = 6;

/** Returns the picture of an output. Lines beyond 118 characters are cut. */
function terminalPicture(output: string): string {
  const lines = ['$ npm run quickstart', ...withoutGaps(shownLines(output))];
  const width = Math.ceil(COLUMNS * CHARACTER_WIDTH + 2 * MARGIN);
  const height = lines.length * LINE_HEIGHT + 2 * MARGIN;
  const texts = lines.map((line, index) => {
    const y = MARGIN + (index + 0.75) * LINE_HEIGHT;
    return `<text x="${MARGIN}" y="${y}" fill="${colorOf(line)}">${escaped(cut(line))}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>The output of npm run quickstart</title>
<rect width="100%" height="100%" rx="8" fill="${COLORS.page}"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13">
${texts.join('\n')}
</g>
</svg>
`;
}

function shownLines(output: string): string[] {
  let rows = 0;
  return output.split('\n').filter((line) => {
    if (!SHOWN.test(line)) return false;
    if (/^(before|after) /.test(line)) rows += 1;
    return rows <= BEFORE_AFTER_ROWS || !/^(before|after) /.test(line);
  });
}

/** Keeps at most one blank line between two lines, and none at the start or the end. */
function withoutGaps(lines: readonly string[]): string[] {
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
    .split('\n');
}

function colorOf(line: string): string {
  if (/^(\[|\$)/.test(line)) return COLORS.heading;
  if (line.startsWith('before')) return COLORS.before;
  if (line.startsWith('after')) return COLORS.after;
  return COLORS.text;
}

function cut(line: string): string {
  return line.length > COLUMNS ? `${line.slice(0, COLUMNS - 1)}…` : line;
}

/** Replaces spaces with no-break spaces, because browsers show several spaces of an SVG text as one. */
function escaped(line: string): string {
  return line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll(' ', '\u00a0');
}

process.stdout.write(terminalPicture(await text(process.stdin)));
