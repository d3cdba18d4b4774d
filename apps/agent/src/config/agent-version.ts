/** As in package.json; a test compares them. */
export const AGENT_VERSION = { major: 0, minor: 1, patch: 0 } as const;
