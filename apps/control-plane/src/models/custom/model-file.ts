/** The file of a custom model, known by its hash and read when somebody needs it. */
export interface ModelFile {
  /** SHA-256, in hex. */
  readonly hash: string;
  readonly byteLength: number;
  /** The bytes must not be changed. @returns undefined when the model is gone by now */
  bytes(): Promise<Uint8Array<SharedArrayBuffer> | undefined>;
}

/** Finds files by the ids of one organisation's models. */
export type FindModelFile = (id: string) => Promise<ModelFile | undefined>;
