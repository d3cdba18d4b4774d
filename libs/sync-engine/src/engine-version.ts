/** As in package.json; a test compares them. Copies of two versions do not go on with each other's chunks. */
export const ENGINE_VERSION = { major: 0, minor: 1, patch: 0 } as const;
