import { ByteSink } from '@understudy/bytes';
import { compileSchema, type GeneratorSources, type Problem, type SchemaPlan } from '@understudy/generator';
import { jsonRecordWriter, type RecordWriter } from '@understudy/records';

import type { FieldProblem } from '../../../platform/http/errors/api-error.js';
import { refusal, refusalOf, toApiError, toFieldProblem, type Refusal } from '../refusal.js';
import { tooLarge, MAX_RESPONSE_BYTES, type MockCall, type MockDefinition } from './mock-definition.js';
import { WrapperTemplate } from './wrapper-template.js';

const SCHEMA = 'schema';
const WRAPPER = 'response.wrapper';
const COMMA = 0x2c;
/** A buffer that grew beyond this size is not kept for the next response. */
const KEPT_BYTES = 1024 * 1024;

/** The name by which generators and the wrapper refer to the path parameters. */
const BINDINGS = ['params'];

export interface CheckMockInput {
  readonly definition: MockDefinition;
  /** The default number of records of a call. */
  readonly count: number;
  readonly nowMs: number;
  /** True if the definition was accepted earlier: see `Environment.isStored`. */
  readonly isStored: boolean;
}

/**
 * Checks the definition of a mock endpoint and returns its warnings.
 * @throws ApiError with all problems of the schema and the wrapper
 */
export function checkMock(
  { definition: { schema, wrapper }, count, nowMs, isStored }: CheckMockInput,
  sources: GeneratorSources,
): readonly FieldProblem[] {
  const warnings: FieldProblem[] = [];
  const warn = (root: string, found: readonly Problem[]): void => {
    warnings.push(...found.map((warning) => toFieldProblem(warning, root)));
  };
  const ofSchema = attempt(SCHEMA, () => {
    warn(SCHEMA, compileSchema(schema, { ...sources, nowMs, isStored, bindings: BINDINGS }).warnings(count));
  });
  const ofWrapper = attempt(WRAPPER, () => {
    warn(WRAPPER, WrapperTemplate.compile(wrapper, { isStored }).warnings);
  });
  const first = ofSchema ?? ofWrapper;
  if (!first) return warnings;
  const details = [...(ofSchema?.details ?? []), ...(ofWrapper?.details ?? [])];
  throw toApiError(refusal(first.code, details));
}

/** A compiled definition that can process any number of calls, one at a time. */
export class CompiledMock {
  private readonly plan: SchemaPlan;
  private readonly writer: RecordWriter;
  private readonly wrapper: WrapperTemplate;
  private records = new ByteSink(4 * 1024);

  /** @throws DefinitionError */
  constructor({ schema, wrapper }: MockDefinition, sources: GeneratorSources, nowMs: number) {
    this.plan = compileSchema(schema, { ...sources, nowMs, isStored: true, bindings: BINDINGS });
    this.writer = jsonRecordWriter(this.plan.output);
    this.wrapper = WrapperTemplate.compile(wrapper, { isStored: true });
  }

  /**
   * Appends the body of one response to `sink`. The same call always produces the same bytes.
   * @param isStopped is called before each record
   * @returns the refusal if the response cannot be generated; the caller must then discard the appended
   *   bytes. Undefined after success, and also if the task was stopped.
   */
  write(call: MockCall, sink: ByteSink, isStopped: () => boolean): Refusal | undefined {
    const { records } = this;
    records.length = 0;
    const objects: unknown[] = [];
    const start = sink.length;
    const failed =
      attempt(SCHEMA, () => this.makeRecords(call, objects, isStopped)) ??
      attempt(WRAPPER, () => {
        const json = records.bytes.subarray(0, records.length);
        this.wrapper.write(sink, { json, objects }, call);
        if (sink.length - start > MAX_RESPONSE_BYTES) throw tooLarge('');
      });
    if (records.bytes.length > KEPT_BYTES) this.records = new ByteSink(4 * 1024);
    return failed;
  }

  private makeRecords({ seed, count, params }: MockCall, objects: unknown[], isStopped: () => boolean): void {
    const { plan, writer, records } = this;
    const cursor = plan.open(seed, [params]);
    for (let index = 0; index < count && !isStopped(); index += 1) {
      cursor.moveTo(index);
      if (index > 0) records.writeByte(COMMA);
      writer.write(cursor.values, records);
      if (records.length > MAX_RESPONSE_BYTES) throw tooLarge('');
      if (this.wrapper.readsRecords)
        objects.push(Object.fromEntries(plan.output.map((name, i) => [name, cursor.values[i]])));
    }
  }
}

/**
 * Runs `work`. Returns the refusal for an error of `work`, or undefined if `work` succeeds.
 * @param root path of the definition in the request
 */
function attempt(root: string, work: () => unknown): Refusal | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    const found = refusalOf(error, root);
    if (!found) throw error;
    return found;
  }
}
