/** Part of every key: raised when the same definition and seed begin to give other values. */
export const ENGINE_VERSION = '1';
