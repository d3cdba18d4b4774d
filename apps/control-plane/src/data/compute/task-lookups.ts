import { MessageChannel, receiveMessageOnPort, type MessagePort } from 'node:worker_threads';

/** The file of a custom model. */
export interface ModelFile {
  /** SHA-256, in hex. */
  readonly hash: string;
  readonly byteLength: number;
  /** Reads the file. The caller must not change the bytes. @returns undefined if the model was deleted */
  bytes(): Promise<Uint8Array<SharedArrayBuffer> | undefined>;
}

/** A registered composition. Plain data. */
export interface StoredComposition {
  /** `name@version` */
  readonly id: string;
  /** The registered JSON. */
  readonly definitionJson: string;
  /** SHA-256 of `definitionJson` in UTF-8, in hex. */
  readonly hash: string;
}

/** Finds the models and compositions of one organisation, on the main thread. */
export interface TaskLookups {
  readonly model: (id: string) => Promise<ModelFile | undefined>;
  /** @param use `name@version`, or a name without a version, which selects the highest version */
  readonly composition: (use: string) => Promise<StoredComposition | undefined>;
  /** Returns the names of all compositions, so that an error can suggest one. */
  readonly compositionNames: () => Promise<readonly string[]>;
}

/** A request from a worker to the main thread. */
type LookupRequest =
  /** Asks for the file of a custom model. `known` lists the hashes of the files that the worker already has. */
  | { readonly kind: 'model'; readonly id: string; readonly known: readonly string[] }
  | { readonly kind: 'composition'; readonly use: string }
  | { readonly kind: 'composition-names' };

export interface FoundModel {
  readonly hash: string;
  readonly byteLength: number;
  /** Absent if the worker already has the file. The memory is shared and must not be changed. */
  readonly file?: Uint8Array<SharedArrayBuffer>;
}

/** The worker's side of the connection through which it sends lookups to the main thread. */
export interface LookupLine {
  readonly port: MessagePort;
  /**
   * Counts the responses. The worker waits for this counter to change, because it does not return to its
   * event loop during a task.
   */
  readonly responseCount: SharedArrayBuffer;
}

/**
 * Looks up a custom model. Blocks the worker until the response arrives. @returns undefined if there is no
 * such model
 */
export function lookUpModel(line: LookupLine, id: string, known: readonly string[]): FoundModel | undefined {
  return ask(line, { kind: 'model', id, known }) as FoundModel | undefined;
}

/** Looks up a registered composition. Blocks like `lookUpModel`. */
export function lookUpComposition(line: LookupLine, use: string): StoredComposition | undefined {
  return ask(line, { kind: 'composition', use }) as StoredComposition | undefined;
}

/** Lists the names of all registered compositions. Blocks like `lookUpModel`. */
export function lookUpCompositionNames(line: LookupLine): readonly string[] {
  return (ask(line, { kind: 'composition-names' }) ?? []) as readonly string[];
}

function ask({ port, responseCount }: LookupLine, request: LookupRequest): unknown {
  const count = new Int32Array(responseCount);
  const before = Atomics.load(count, 0);
  port.postMessage(request);
  Atomics.wait(count, 0, before);
  return receiveMessageOnPort(port)?.message as unknown;
}

/**
 * The main thread's side of the connection. It responds to the lookups of one task until `close` is called.
 */
export class LookupServer {
  readonly line: LookupLine;
  private readonly port: MessagePort;

  /**
   * @param onFailure is called with the error of a failed lookup. The worker receives the response "not
   *   found" instead.
   */
  constructor(
    private readonly lookups: TaskLookups,
    private readonly onFailure: (error: unknown) => void,
  ) {
    const { port1, port2 } = new MessageChannel();
    this.port = port1;
    this.line = { port: port2, responseCount: new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT) };
    port1.on('message', (request: LookupRequest) => void this.respond(request));
  }

  close(): void {
    this.port.close();
  }

  private async respond(request: LookupRequest): Promise<void> {
    let response: unknown;
    try {
      response = await this.find(request);
    } catch (error) {
      this.onFailure(error);
    }
    this.port.postMessage(response);
    const count = new Int32Array(this.line.responseCount);
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
