/** What the scanner is inside of, besides plain statement text. */
type Region =
  | { readonly kind: 'text' }
  | { readonly kind: 'copy data' }
  | { readonly kind: 'comment'; depth: number }
  | { readonly kind: 'quote'; readonly closing: string; readonly escapes: boolean };

const TEXT: Region = { kind: 'text' };

/** A statement that makes, drops, renames, owns, comments or grants a database. */
const LEADS_ELSEWHERE =
  /^(?:(?:create|drop|alter)\s+database\b|(?:comment|grant|revoke)\b[^;']*?\bon\s+database\b)/i;
const CONNECT = /^\\c(?:onnect)?(?=[\s;]|$)/;
const COPY_FROM_STDIN = /^copy\b[\s\S]*\bfrom\s+stdin\b/i;
const TOKEN = /(?<![\w$])[eE]'|'|"|(?<![\w$])\$(?:[A-Za-z_]\w*)?\$|--|\/\*|;/g;
const HEAD_LENGTH = 10_000;

/**
 * Takes a script for psql line by line and leaves out what would lead it to another database: CREATE, DROP, ALTER,
 * COMMENT ON and GRANT ON DATABASE, and `\c`. The rest passes unchanged; strings, dollar quotes, comments and COPY data
 * that only look like such statements are not touched. A kind of lexer, not a parser: `CREATE` and `DATABASE` must stand on
 * one line.
 */
export class ScriptFilter {
  private region: Region = TEXT;
  /** Of the statement begun: its first characters without quotes and comments; empty between statements. */
  private head = '';
  private dropping = false;

  /** @param line with its line end  @returns what psql gets; as many line ends as came in, so that its line numbers stay true */
  line(line: string): string {
    if (this.region.kind === 'copy data') {
      if (/^\\\.\r?\n?$/.test(line)) this.region = TEXT;
      return line;
    }
    if (this.region.kind === 'text' && this.head === '') {
      const command = line.trimStart();
      if (CONNECT.test(command)) return '\n';
      if (command.startsWith('\\')) return line; // any other command of psql: to the end of its line
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
      // An opening quote belongs to a statement even where nothing stands before it.
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

  /** Plain statement text from `at` to `end`: where a statement begins in it, decides whether that one must go. */
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

  /** @returns where the region ends on this line, or the line's end */
  private leaveRegion(line: string, at: number): number {
    const region = this.region;
    if (region.kind === 'comment') {
      for (const { 0: mark, index } of line.slice(at).matchAll(/\/\*|\*\//g)) {
        region.depth += mark === '/*' ? 1 : -1; // comments nest in PostgreSQL
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
      // A doubled quote ends the region and begins the next at once: the same in the end.
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
