import { JsonScanner, type JsonVisitor } from './json-scanner.js';
import type { Mention } from '../mentions/find-mention.js';
import { type Excerpt, TextExcerpt } from './text-excerpt.js';
import { type MentionCounts, ValueSample } from './value-sample.js';

/** A path inside documents, with the values that were found there. */
export interface JsonPath {
  /** The path in the syntax of column rules, such as `contact.email` or `phones[*].number`. */
  readonly path: string;
  /** The last two keys of the path, separated by a space. Detection treats this text as a column's name. */
  readonly name: string;
  readonly type: 'text' | 'numeric';
  /** At most 200 of the values, taken evenly from all documents. */
  readonly values: readonly string[];
  /** How many documents have the path, and in how many of them a value of the path mentions a person. */
  readonly mentions: MentionCounts;
}

/** The paths of the documents of one column. */
export interface DocumentPaths {
  readonly paths: readonly JsonPath[];
  /**
   * The number of keys, and of values that no path of a rule names, which mention a person. No path names a whole
   * document, a value at a path that is too long or too deep, or a value at a path behind the first thousand.
   */
  readonly elsewhere: number;
  /** The number of levels of the deepest document. */
  readonly levels: number;
}

const MAX_PATHS = 1_000;
const MAX_VALUES = 200;
/** The limits of a path in a rule (libs/column-rule). */
const LONGEST_PATH = 500;
const MAX_STEPS = 32;
/** The characters of a value that are kept, and the same for values behind the first `PLENTY` characters. */
const LONGEST_VALUE = 500;
const LONGEST_LATER_VALUE = 60;
const PLENTY = 8_000_000;

/** A location in a document. */
interface Location {
  /** Undefined if the location has no path in the syntax of rules. */
  readonly path: string | undefined;
  readonly steps: number;
  readonly keys: readonly string[];
}

interface Level {
  readonly place: Location;
  /** The location of the next value. */
  next: Location;
}

interface Found {
  readonly keys: readonly string[];
  readonly texts: ValueSample;
  readonly numbers: ValueSample;
  readonly documents: DocumentCounts;
}

/** Counts documents, because one value of a long array is enough to make a document personal. */
class DocumentCounts {
  readonly counts = { seen: 0, email: 0, phone: 0, other: 0 };
  private last = { seen: -1, mentioned: -1 };

  /** Counts a value of a document, whose documents come one after another. */
  add(document: number, mention: Mention | undefined): void {
    if (this.last.seen !== document) this.counts.seen++;
    this.last.seen = document;
    if (mention === undefined || this.last.mentioned === document) return;
    this.last.mentioned = document;
    this.counts[mention]++;
  }
}

const ROOT: Location = { path: '', steps: 0, keys: [] };
const NOWHERE: Location = { path: undefined, steps: Infinity, keys: [] };

/**
 * Collects the paths of texts and numbers in JSON documents of any size. Reads the documents piece by piece,
 * and needs memory only for a bounded number of paths and values.
 */
export class JsonPathCollector implements JsonVisitor {
  private readonly found = new Map<string, Found>();
  private elsewhere = 0;
  private most = 0;
  private kept = 0;
  private document = 0;
  private levels: Level[] = [];
  private readonly scanner = { of: new JsonScanner(this), excerpt: new TextExcerpt(LONGEST_VALUE) };

  /** Adds a part of a document. */
  write(text: string): void {
    this.scanner.of.write(text);
  }

  /** Ends a document, which may be incomplete. The next part belongs to another one. */
  end(): void {
    this.scanner.of.end();
    this.scanner.of = new JsonScanner(this);
    this.levels = [];
    this.document++;
  }

  /** Returns what was found in the documents that have ended. */
  result(): DocumentPaths {
    const paths = [...this.found].map(([path, { keys, texts, numbers, documents }]) => ({
      path,
      name: keys.join(' '),
      ...(texts.mentions.seen >= numbers.mentions.seen
        ? { type: 'text' as const, values: texts.values }
        : { type: 'numeric' as const, values: numbers.values }),
      mentions: documents.counts,
    }));
    return { paths, elsewhere: this.elsewhere, levels: this.most };
  }

  open(isArray: boolean): void {
    const place = this.levels.at(-1)?.next ?? ROOT;
    this.levels.push({ place, next: isArray ? below(place, '[*]') : NOWHERE });
    this.most = Math.max(this.most, this.levels.length);
  }

  close(): void {
    this.levels.pop();
  }

  text(part: string): void {
    this.scanner.excerpt.push(part);
  }

  key(): void {
    const { head: key, mention } = this.takeText();
    if (mention !== undefined) this.elsewhere++;
    const level = this.levels.at(-1);
    if (level === undefined) return;
    const { place } = level;
    // The excerpt of a longer key is cut, and its path would be too long.
    const isWhole = key.length < LONGEST_LATER_VALUE || (key.length < LONGEST_VALUE && this.kept < PLENTY);
    level.next = isWhole ? below(place, `${place.path === '' ? '' : '.'}${written(key)}`, key) : NOWHERE;
  }

  string(): void {
    const { head, mention } = this.takeText();
    this.add(head, 'texts', mention);
  }

  number(digits: string): void {
    this.add(digits, 'numbers');
  }

  private takeText(): Excerpt {
    const text = this.scanner.excerpt.finish();
    this.scanner.excerpt = new TextExcerpt(this.kept < PLENTY ? LONGEST_VALUE : LONGEST_LATER_VALUE);
    return text;
  }

  private add(value: string, into: 'texts' | 'numbers', mention?: Mention): void {
    const { path, keys } = this.levels.at(-1)?.next ?? ROOT;
    const known = path === undefined || path === '' ? undefined : this.foundAt(path, keys);
    if (known === undefined) {
      if (mention !== undefined) this.elsewhere++;
    } else {
      known.documents.add(this.document, mention);
      if (known[into].add(value)) this.kept += value.length;
    }
  }

  private foundAt(path: string, keys: readonly string[]): Found | undefined {
    const known = this.found.get(path);
    if (known !== undefined || this.found.size >= MAX_PATHS) return known;
    const found = {
      keys,
      texts: new ValueSample(MAX_VALUES),
      numbers: new ValueSample(MAX_VALUES),
      documents: new DocumentCounts(),
    };
    this.found.set(path, found);
    return found;
  }
}

function below(place: Location, step: string, key?: string): Location {
  if (place.path === undefined) return NOWHERE;
  const path = `${place.path}${step}`;
  const steps = place.steps + 1;
  if (path.length > LONGEST_PATH || steps > MAX_STEPS) return NOWHERE;
  return { path, steps, keys: key === undefined ? place.keys : [...place.keys, key].slice(-2) };
}

/** Returns a key as a step of a path. A key with other characters is written in double quotes. */
function written(key: string): string {
  return /^(?!\d+$)[\p{L}\p{N}_-]+$/u.test(key) ? key : JSON.stringify(key);
}
