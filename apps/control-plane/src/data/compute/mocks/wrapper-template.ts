import type { ByteSink } from '@understudy/bytes';
import {
  compileTemplate,
  EvaluationError,
  ExpressionError,
  hasMembers,
  type Template,
  writeExactJson,
} from '@understudy/expression';
import { DefinitionError, GenerationError, seedKey, type Problem } from '@understudy/generator';
import { deriveKey, RandomStream } from '@understudy/random';
import { writeJsonValue } from '@understudy/records';
import { fieldPath } from '@understudy/sync-job';

import { assertWritable, type MockCall } from './mock-definition.js';

/** The names that the templates of a wrapper can use, each with the index of its value in `slots`. */
const NAMES: ReadonlyMap<string, number> = new Map([
  ['records', 0],
  ['count', 1],
  ['params', 2],
]);
const WHOLE_RECORDS = /^\{\{\s*records\s*\}\}$/;
const MAX_TEMPLATES = 1_000;

interface Leaf {
  readonly path: string;
  readonly template: Template;
}

/** A part of a wrapper: literal bytes, the array of records, or the value of a template. */
type Part = Uint8Array | 'records' | Leaf;

export interface WrappedRecords {
  /** The elements of the array as JSON, separated by commas. */
  readonly json: Uint8Array;
  /** The records as objects; needed only if `readsRecords` is true. */
  readonly objects: readonly unknown[];
}

/** The compiled JSON around the records of a response. */
export class WrapperTemplate {
  /** True if a template reads the contents of records, so that `write` needs them as objects. */
  readonly readsRecords: boolean;

  private constructor(
    private readonly parts: readonly Part[],
    /** Parts for which a new wrapper would be refused. Empty unless the wrapper is stored. */
    readonly warnings: readonly Problem[],
  ) {
    this.readsRecords = parts.some(
      (part) =>
        typeof part === 'object' && 'template' in part && part.template.references.includes('records'),
    );
  }

  /**
   * Compiles a wrapper.
   * @param isStored true if the wrapper was accepted earlier: see `Environment.isStored`
   * @throws DefinitionError with paths relative to the wrapper
   */
  static compile(wrapper: unknown, { isStored = false } = {}): WrapperTemplate {
    const parts = new Parts(isStored);
    parts.add(wrapper, '');
    return new WrapperTemplate(parts.finish(), parts.warnings);
  }

  /** Writes a response body. @throws GenerationError with a path relative to the wrapper */
  write(sink: ByteSink, { json, objects }: WrappedRecords, { seed, count, params }: MockCall): void {
    const slots = [objects, count, params];
    for (const part of this.parts) {
      if (part === 'records') {
        sink.writeAscii('[');
        sink.write(json, 0, json.length);
        sink.writeAscii(']');
      } else if ('template' in part) {
        const value = evaluate(part, slots, seed);
        assertWritable(value, part.path);
        writeJsonValue(sink, value);
      } else {
        sink.write(part, 0, part.length);
      }
    }
  }
}

function evaluate({ template, path }: Leaf, slots: readonly unknown[], seed: number): unknown {
  try {
    return template.evaluate(slots, {
      stream: (site) => new RandomStream().seek(siteKey(seed, path, template.sites[site]), 0),
    });
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    throw new GenerationError(path, error.message, error.overLimit ? 'limit_exceeded' : 'generation_failed');
  }
}

function siteKey(seed: number, path: string, position = 0) {
  return deriveKey(seedKey(seed), `wrapper ${path} call ${position}`);
}

/** Collects the parts of a wrapper from left to right. The JSON parser limits the depth of the recursion. */
class Parts {
  private readonly parts: Part[] = [];
  private readonly problems: Problem[] = [];
  readonly warnings: Problem[] = [];
  private text = '';
  private templates = 0;

  constructor(private readonly isStored: boolean) {}

  add(value: unknown, path: string): void {
    if (typeof value === 'string') this.addText(value, path);
    else if (Array.isArray(value)) this.addArray(value, path);
    else if (hasMembers(value)) this.addObject(value, path);
    else this.text += writeExactJson(value);
  }

  finish(): readonly Part[] {
    this.flush();
    if (this.problems.length > 0) throw new DefinitionError(this.problems);
    return this.parts;
  }

  private addArray(items: readonly unknown[], path: string): void {
    this.text += '[';
    items.forEach((item, index) => {
      if (index > 0) this.text += ',';
      this.add(item, fieldPath(path, index));
    });
    this.text += ']';
  }

  private addObject(object: object, path: string): void {
    this.text += '{';
    Object.entries(object).forEach(([key, item], index) => {
      const here = fieldPath(path, key);
      // A client that merges such a response into an object would change the prototype of that object.
      if (key === '__proto__')
        this.problems.push({ path: here, message: 'is not allowed as a key of a response' });
      this.text += `${index > 0 ? ',' : ''}${JSON.stringify(key)}:`;
      this.add(item, here);
    });
    this.text += '}';
  }

  private addText(text: string, path: string): void {
    if (WHOLE_RECORDS.test(text)) return this.addPart('records');
    if (!text.includes('{{')) {
      this.text += JSON.stringify(text);
      return;
    }
    this.templates += 1;
    if (this.templates > MAX_TEMPLATES) {
      const message = `a wrapper holds at most ${MAX_TEMPLATES} templates`;
      throw new DefinitionError([{ path, message }], 'limit_exceeded');
    }
    try {
      const template = compileTemplate(text, NAMES);
      const mistakes = this.isStored ? this.warnings : this.problems;
      mistakes.push(...template.mistakes.map(({ message }) => ({ path, message })));
      this.addPart({ path, template });
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      this.problems.push({ path, message: error.message });
    }
  }

  private addPart(part: Part): void {
    this.flush();
    this.parts.push(part);
  }

  private flush(): void {
    if (this.text !== '') this.parts.push(Buffer.from(this.text));
    this.text = '';
  }
}
