import { MessageChannel, receiveMessageOnPort, type MessagePort } from 'node:worker_threads';

import type { FindModelFile } from '../../models/model-file.js';

/** What a thread asks for: the file of a custom model, unless it is one of those that it has. */
interface ModelQuestion {
  readonly id: string;
  /** Hashes. */
  readonly known: readonly string[];
}

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
  { port, answered }: QuestionLine,
  id: string,
  known: readonly string[],
): ModelAnswer | undefined {
  const count = new Int32Array(answered);
  const before = Atomics.load(count, 0);
  port.postMessage({ id, known } satisfies ModelQuestion);
  Atomics.wait(count, 0, before);
  return receiveMessageOnPort(port)?.message as ModelAnswer | undefined;
}

/** The other end, on the main thread: answers a task's questions until it is closed. */
export class ModelAnswers {
  readonly line: QuestionLine;
  private readonly port: MessagePort;

  /** @param onFailure told why a question could not be answered; the thread gets the answer that there is no such model */
  constructor(
    private readonly find: FindModelFile,
    private readonly onFailure: (error: unknown) => void,
  ) {
    const { port1, port2 } = new MessageChannel();
    this.port = port1;
    this.line = { port: port2, answered: new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT) };
    port1.on('message', (question: ModelQuestion) => void this.answer(question));
  }

  close(): void {
    this.port.close();
  }

  private async answer(question: ModelQuestion): Promise<void> {
    let answer: ModelAnswer | undefined;
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

  private async look({ id, known }: ModelQuestion): Promise<ModelAnswer | undefined> {
    const found = await this.find(id);
    if (found === undefined) return undefined;
    const { hash, byteLength } = found;
    if (known.includes(hash)) return { hash, byteLength };
    const file = await found.bytes();
    return file === undefined ? undefined : { hash, byteLength, file };
  }
}
