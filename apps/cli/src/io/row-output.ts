/** Where the bytes of a command go. */
export interface RowOutput {
  /** Resolves when more may come. @throws CliError, OutputClosed */
  write(bytes: Uint8Array): Promise<void>;
  /** All is written: it counts from now on. */
  finish(): Promise<void>;
  /** Leaves no trace of it where that is possible. Never rejects. */
  discard(): Promise<void>;
}
