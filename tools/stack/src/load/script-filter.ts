/** The kind of text at the position of the scanner. */
type Region =
  | { readonly kind: 'text' }
  | { readonly kind: 'copy data' }
  | { readonly kind: 'comment'; depth: number }
  | { readonly kind: 'quote'; readonly closing: string; readonly escapes: boolean };

const TEXT: Region = { kind: 'text' };

/** Matches a statement that creates, drops or changes a database, or its comment or privileges. */
const LEADS_ELSEWHERE =
  /^(?:(?:create|drop|alter)\s+database\b|(?:comment|grant|revoke)\b[^;']*?\bon\s+database\b)/i;
const CONNECT = /^\\c(?:onnect)?(?=[\s;]|$)/;
const COPY_FROM_STDIN = /^copy\b[\s\S]*\bfrom\s+stdin\b/i;
const TOKEN = /(?<![\w$])[eE]'|'|"|(?<![\w$])\$(?:[A-Za-z_]\w*)?\$|--|\/\*|;/g;
const HEAD_LENGTH = 10_000;

/**
 * Filters a psql script line by line. It removes the commands that concern whole databases: CREATE, DROP and
 * ALTER DATABASE, COMMENT, GRANT and REVOKE ON DATABASE, and `\c`. All other text passes unchanged, including
 * strings, dollar quotes, comments and COPY data that only look like such commands. It does not parse
 * statements, so it finds `CREATE DATABASE` only if both words are on one line.
 */
export class ScriptFilter {
  private region: Region = TEXT;
  /** First characters of the current statement without quotes and comments; empty between statements. */
  private head = '';
  private dropping = false;

  /**
   * Filters one line.
   * @param line the line with its line end
   * @returns the text for psql. It has as many line ends as `line`, so that psql reports correct line numbers
   */
  line(line: string): string {
    if (this.region.kind === 'copy data') {
      if (/^\\\.\r?\n?$/.test(line)) this.region = TEXT;
      return line;
    }
    if (this.region.kind === 'text' && this.head === '') {
      const command = line.trimStart();
      if (CONNECT.test(command)) return '\n';
      if (command.startsWith('\\')) return line; // every other psql command extends to the end of its line
    }
    return this.scan(line);
  }

  private scan(line: string): string {
    let kept = '';
    let copyFollows = false;
    const take = (text: string) => {
      if (!this.dropping) kept += text;
    };
    for (let at = 0; at < line.length;) {
      if (this.region.kind !== 'text') {
        const end = this.leaveRegion(line, at);
        take(line.slice(at, end));
        at = end;
        continue;
      }
      TOKEN.lastIndex = at;
      const match = TOKEN.exec(line);
      const end = match?.index ?? line.length;
      this.text(line, at, end);
      take(line.slice(at, end));
      if (!match) break;
      const [token] = match;
      at = token === '--' ? line.length : end + token.length;
      // An opening quote belongs to a statement, even if it is the first character.
      if (token !== '--' && token !== '/*' && token !== ';' && this.head === '') this.head = token;
      take(line.slice(end, at));
      if (token === ';') {
        copyFollows ||= !this.dropping && COPY_FROM_STDIN.test(this.head);
        this.head = '';
        this.dropping = false;
      } else if (token !== '--') this.enterRegion(token);
    }
    if (copyFollows) this.region = { kind: 'copy data' };
    return line.endsWith('\n') && !kept.endsWith('\n') ? `${kept}\n` : kept;
  }

  /**
   * Processes statement text from `at` to `end`. At the beginning of a statement, it decides whether to
   * remove the statement.
   */
  private text(line: string, at: number, end: number): void {
    if (this.head === '') {
      const begin = line.slice(at, end).trimStart();
      if (begin === '') return;
      this.dropping = LEADS_ELSEWHERE.test(line.slice(end - begin.length));
      this.head = begin;
    } else if (this.head.length < HEAD_LENGTH) this.head += line.slice(at, end);
  }

  private enterRegion(token: string): void {
    if (token === '/*') this.region = { kind: 'comment', depth: 1 };
    else if (token.startsWith('$')) this.region = { kind: 'quote', closing: token, escapes: false };
    else this.region = { kind: 'quote', closing: token.slice(-1), escapes: token.length === 2 };
  }

  /** @returns the end of the region on this line, or the end of the line */
  private leaveRegion(line: string, at: number): number {
    const region = this.region;
    if (region.kind === 'comment') {
      for (const { 0: delimiter, index } of line.slice(at).matchAll(/\/\*|\*\//g)) {
        region.depth += delimiter === '/*' ? 1 : -1; // comments nest in PostgreSQL
        if (region.depth > 0) continue;
        this.region = TEXT;
        return at + index + 2;
      }
      return line.length;
    }
    if (region.kind !== 'quote') return line.length;
    for (let end = at; ; end++) {
      const found = line.indexOf(region.closing, end);
      if (found < 0) return line.length;
      end = found;
      if (region.escapes && isEscaped(line, at, found)) continue;
      // A doubled quote ends the region and immediately begins the next one, which has the same effect.
      this.region = TEXT;
      return found + region.closing.length;
    }
  }
}

function isEscaped(line: string, from: number, at: number): boolean {
  let backslashes = 0;
  while (at - 1 - backslashes >= from && line[at - 1 - backslashes] === '\\') backslashes++;
  return backslashes % 2 === 1;
}
