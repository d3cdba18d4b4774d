import { MessageChannel, receiveMessageOnPort, type MessagePort } from 'node:worker_threads';

/** The file of a custom model. */
export interface ModelFile {
  /** SHA-256, in hex. */
  readonly hash: string;
  readonly byteLength: number;
  /** Reads the file; the bytes must not be changed. @returns undefined if the model was deleted since */
  bytes(): Promise<Uint8Array<SharedArrayBuffer> | undefined>;
}

/** A registered composition. Plain data. */
export interface StoredComposition {
  /** `name@version` */
  readonly id: string;
  /** The registered JSON. */
  readonly definitionJson: string;
  /** SHA-256 of that text in UTF-8, in hex. */
  readonly hash: string;
}

/** Finds the models and compositions of one organisation, on the main thread. */
export interface TaskLookups {
  readonly model: (id: string) => Promise<ModelFile | undefined>;
  /** @param use a name, or `name@version` */
  readonly composition: (use: string) => Promise<StoredComposition | undefined>;
  /** Names of all compositions, to suggest one of. */
  readonly compositionNames: () => Promise<readonly string[]>;
}

/** A request of a worker. */
type LookupRequest =
  /** The file of a custom model, unless the worker has it: `known` are the hashes of those. */
  | { readonly kind: 'model'; readonly id: string; readonly known: readonly string[] }
  | { readonly kind: 'composition'; readonly use: string }
  | { readonly kind: 'composition-names' };

export interface FoundModel {
  readonly hash: string;
  readonly byteLength: number;
  /** Absent if the worker has it. The memory is shared and must not be changed. */
  readonly file?: Uint8Array<SharedArrayBuffer>;
}

/** The worker's end of the line. */
export interface LookupLine {
  readonly port: MessagePort;
  /** Counts the answers. A worker that does not return to its event loop waits on it. */
  readonly answered: SharedArrayBuffer;
}

/** Blocks the worker until the answer is there. @returns undefined if there is no such model */
export function lookUpModel(line: LookupLine, id: string, known: readonly string[]): FoundModel | undefined {
  return ask(line, { kind: 'model', id, known }) as FoundModel | undefined;
}

/** Blocks like `lookUpModel`. */
export function lookUpComposition(line: LookupLine, use: string): StoredComposition | undefined {
  return ask(line, { kind: 'composition', use }) as StoredComposition | undefined;
}

/** Blocks like `lookUpModel`. */
export function lookUpCompositionNames(line: LookupLine): readonly string[] {
  return (ask(line, { kind: 'composition-names' }) ?? []) as readonly string[];
}

function ask({ port, answered }: LookupLine, request: LookupRequest): unknown {
  const count = new Int32Array(answered);
  const before = Atomics.load(count, 0);
  port.postMessage(request);
  Atomics.wait(count, 0, before);
  return receiveMessageOnPort(port)?.message as unknown;
}

/** The main thread's end of the line. It answers the requests of one task until it is closed. */
export class LookupServer {
  readonly line: LookupLine;
  private readonly port: MessagePort;

  /** @param onFailure called with the error of a failed lookup; the worker is told that nothing was found */
  constructor(
    private readonly lookups: TaskLookups,
    private readonly onFailure: (error: unknown) => void,
  ) {
    const { port1, port2 } = new MessageChannel();
    this.port = port1;
    this.line = { port: port2, answered: new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT) };
    port1.on('message', (request: LookupRequest) => void this.answer(request));
  }

  close(): void {
    this.port.close();
  }

  private async answer(request: LookupRequest): Promise<void> {
    let answer: unknown;
    try {
      answer = await this.find(request);
    } catch (error) {
      this.onFailure(error);
    }
    this.port.postMessage(answer);
    const count = new Int32Array(this.line.answered);
    Atomics.add(count, 0, 1);
    Atomics.notify(count, 0);
  }

  private find(request: LookupRequest): Promise<unknown> {
    switch (request.kind) {
      case 'model':
        return this.findModel(request.id, request.known);
      case 'composition':
        return this.lookups.composition(request.use);
      case 'composition-names':
        return this.lookups.compositionNames();
    }
  }

  private async findModel(id: string, known: readonly string[]): Promise<FoundModel | undefined> {
    const found = await this.lookups.model(id);
    if (found === undefined) return undefined;
    const { hash, byteLength } = found;
    if (known.includes(hash)) return { hash, byteLength };
    const file = await found.bytes();
    return file === undefined ? undefined : { hash, byteLength, file };
  }
}
