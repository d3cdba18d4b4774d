import type { ByteSink } from '@understudy/bytes';
import { compileTemplate, EvaluationError, ExpressionError, type Template } from '@understudy/expression';
import { DefinitionError, GenerationError, seedKey, type Problem } from '@understudy/generator';
import { deriveKey, RandomStream } from '@understudy/random';
import { writeJsonValue } from '@understudy/records';
import { fieldPath } from '@understudy/sync-job';

import { assertWritable, type MockCall } from './mock-definition.js';

/** What the templates of a wrapper may name, each with its slot. */
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

/** Bytes as they stand, the records as an array, or what a template gives. */
type Part = Uint8Array | 'records' | Leaf;

export interface WrappedRecords {
  /** Elements of the array, with commas between them. */
  readonly json: Uint8Array;
  /** As objects, where `readsRecords` asks for them. */
  readonly objects: readonly unknown[];
}

/** The JSON around the records of an answer, read once. */
export class WrapperTemplate {
  /** Whether a template looks into the records; otherwise they are needed as JSON alone. */
  readonly readsRecords: boolean;

  private constructor(private readonly parts: readonly Part[]) {
    this.readsRecords = parts.some(
      (part) =>
        typeof part === 'object' && 'template' in part && part.template.references.includes('records'),
    );
  }

  /** @throws DefinitionError with paths below the wrapper */
  static compile(wrapper: unknown): WrapperTemplate {
    const parts = new Parts();
    parts.add(wrapper, '');
    return new WrapperTemplate(parts.finish());
  }

  /** @throws GenerationError with a path below the wrapper */
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

/** Gathers the parts of a wrapper from left to right. Its depth is bounded by the JSON parser. */
class Parts {
  private readonly parts: Part[] = [];
  private readonly problems: Problem[] = [];
  private text = '';
  private templates = 0;

  add(value: unknown, path: string): void {
    if (typeof value === 'string') this.addText(value, path);
    else if (Array.isArray(value)) this.addArray(value, path);
    else if (typeof value === 'object' && value !== null) this.addObject(value, path);
    else this.text += JSON.stringify(value);
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
      // Whoever merges such an answer into an object of its own would change that object's prototype.
      if (key === '__proto__')
        this.problems.push({ path: here, message: 'is no key that an answer may have' });
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
      this.addPart({ path, template: compileTemplate(text, NAMES) });
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
