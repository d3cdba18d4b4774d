/** Receives the parts of a JSON text, in their order. */
export interface JsonVisitor {
  /** An object or array begins. */
  open(isArray: boolean): void;
  /** An object or array ends. */
  close(): void;
  /** A part of a string, without escapes. A string can have several parts, or none. */
  text(part: string): void;
  /** The string whose parts `text` received is a key. */
  key(): void;
  /** The string whose parts `text` received is a value. */
  string(): void;
  /** A number. */
  number(digits: string): void;
}

/** A longer number is cut. */
const MAX_DIGITS = 100;
const SHORT_ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/**
 * Reads a JSON text piece by piece. Takes any size and depth, repeated keys, `\u0000` and lone surrogates, and
 * needs no memory for the text itself. Expects valid JSON: of other texts it reports what resembles JSON.
 */
export class JsonScanner {
  private isInString = false;
  /** Whether a string has ended, and the next character decides whether it is a key. */
  private isUndecided = false;
  /** The characters of an escape that has begun, including the backslash. */
  private escape = '';
  private digits = '';

  constructor(private readonly visitor: JsonVisitor) {}

  write(text: string): void {
    let at = 0;
    while (at < text.length) {
      if (this.escape !== '') this.readEscape(text.charAt(at++));
      else if (this.isInString) at = this.readString(text, at);
      else this.readOutside(text.charAt(at++));
    }
  }

  end(): void {
    this.decide(false);
    this.endNumber();
  }

  private readString(text: string, start: number): number {
    let at = start;
    while (at < text.length && text.charCodeAt(at) !== QUOTE && text.charCodeAt(at) !== BACKSLASH) at++;
    if (at > start) this.visitor.text(text.slice(start, at));
    if (at === text.length) return at;
    if (text.charCodeAt(at) === BACKSLASH) {
      this.escape = '\\';
    } else {
      this.isInString = false;
      this.isUndecided = true;
    }
    return at + 1;
  }

  private readEscape(character: string): void {
    this.escape += character;
    const kind = this.escape.charAt(1);
    if (kind === 'u' && this.escape.length < 6) return;
    this.visitor.text(
      kind === 'u'
        ? String.fromCharCode(Number.parseInt(this.escape.slice(2), 16))
        : (SHORT_ESCAPES[kind] ?? kind),
    );
    this.escape = '';
  }

  private readOutside(character: string): void {
    if (isOfNumber(character, this.digits !== '')) {
      if (this.digits.length < MAX_DIGITS) this.digits += character;
      return;
    }
    this.endNumber();
    if (WHITESPACE.has(character)) return;
    this.decide(character === ':');
    if (character === '"') this.isInString = true;
    else if (character === '{' || character === '[') this.visitor.open(character === '[');
    else if (character === '}' || character === ']') this.visitor.close();
  }

  private decide(isKey: boolean): void {
    if (!this.isUndecided) return;
    this.isUndecided = false;
    if (isKey) this.visitor.key();
    else this.visitor.string();
  }

  private endNumber(): void {
    if (this.digits !== '') this.visitor.number(this.digits);
    this.digits = '';
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const WHITESPACE = new Set([' ', '\t', '\n', '\r']);

/** Letters of `true`, `false` and `null` begin no number. */
function isOfNumber(character: string, hasBegun: boolean): boolean {
  return (
    (character >= '0' && character <= '9') || character === '-' || (hasBegun && /[.eE+]/.test(character))
  );
}
