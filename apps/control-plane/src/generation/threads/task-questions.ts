import { MessageChannel, receiveMessageOnPort, type MessagePort } from 'node:worker_threads';

import type { StoredComposition } from '../../generators/stored-composition.js';
import type { FindModelFile } from '../../models/custom/custom-model-parts.js';

/** What an organisation has of its own, as the main thread finds it for a task. */
export interface TaskLookups {
  readonly model: FindModelFile;
  /** @param use a name, or `name@version` */
  readonly composition: (use: string) => Promise<StoredComposition | undefined>;
  /** Names of all compositions, to suggest one of. */
  readonly compositionNames: () => Promise<readonly string[]>;
}

/** What a thread asks for. */
type Question =
  /** The file of a custom model, unless it is one of those (by hash) that the thread has. */
  | { readonly kind: 'model'; readonly id: string; readonly known: readonly string[] }
  | { readonly kind: 'composition'; readonly use: string }
  | { readonly kind: 'composition-names' };

export interface ModelAnswer {
  readonly hash: string;
  readonly byteLength: number;
  /** Absent when the thread has it. The memory is shared and must not be changed. */
  readonly file?: Uint8Array<SharedArrayBuffer>;
}

/** The thread's end of the line. */
export interface QuestionLine {
  readonly port: MessagePort;
  /** Counts the answers: a thread that does not turn to its event loop waits on it. */
  readonly answered: SharedArrayBuffer;
}

/** Asks, and blocks the thread until the answer is there. @returns undefined when there is no such model */
export function askForModel(
  line: QuestionLine,
  id: string,
  known: readonly string[],
): ModelAnswer | undefined {
  return ask(line, { kind: 'model', id, known }) as ModelAnswer | undefined;
}

/** As `askForModel`. */
export function askForComposition(line: QuestionLine, use: string): StoredComposition | undefined {
  return ask(line, { kind: 'composition', use }) as StoredComposition | undefined;
}

/** As `askForModel`. */
export function askForCompositionNames(line: QuestionLine): readonly string[] {
  return (ask(line, { kind: 'composition-names' }) ?? []) as readonly string[];
}

function ask({ port, answered }: QuestionLine, question: Question): unknown {
  const count = new Int32Array(answered);
  const before = Atomics.load(count, 0);
  port.postMessage(question);
  Atomics.wait(count, 0, before);
  return receiveMessageOnPort(port)?.message as unknown;
}

/** The other end, on the main thread: answers a task's questions until it is closed. */
export class TaskAnswers {
  readonly line: QuestionLine;
  private readonly port: MessagePort;

  /** @param onFailure told why a question could not be answered; the thread gets the answer that there is no such thing */
  constructor(
    private readonly lookups: TaskLookups,
    private readonly onFailure: (error: unknown) => void,
  ) {
    const { port1, port2 } = new MessageChannel();
    this.port = port1;
    this.line = { port: port2, answered: new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT) };
    port1.on('message', (question: Question) => void this.answer(question));
  }

  close(): void {
    this.port.close();
  }

  private async answer(question: Question): Promise<void> {
    let answer: unknown;
    try {
      answer = await this.look(question);
    } catch (error) {
      this.onFailure(error);
    }
    this.port.postMessage(answer);
    const count = new Int32Array(this.line.answered);
    Atomics.add(count, 0, 1);
    Atomics.notify(count, 0);
  }

  private look(question: Question): Promise<unknown> {
    switch (question.kind) {
      case 'model':
        return this.lookForModel(question.id, question.known);
      case 'composition':
        return this.lookups.composition(question.use);
      case 'composition-names':
        return this.lookups.compositionNames();
    }
  }

  private async lookForModel(id: string, known: readonly string[]): Promise<ModelAnswer | undefined> {
    const found = await this.lookups.model(id);
    if (found === undefined) return undefined;
    const { hash, byteLength } = found;
    if (known.includes(hash)) return { hash, byteLength };
    const file = await found.bytes();
    return file === undefined ? undefined : { hash, byteLength, file };
  }
}
