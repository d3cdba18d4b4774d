/** Keys that never leave the machine the engine runs on. */
export interface EngineKeys {
  /** 32 bytes. Masked cells are a function of it: whoever knows a job's seed alone can recompute nothing. */
  readonly maskingKey: Uint8Array;
  /** 32 bytes. Keys the hashes of private models that leave the agent. */
  readonly modelKey: Uint8Array;
}
