export const ADD_DELETION_REFUSALS: readonly string[] = [
  `ALTER TABLE snapshot_deletions ADD COLUMN refused_code text, ADD COLUMN refused_until timestamptz`,
];

export const DROP_DELETION_REFUSALS: readonly string[] = [
  `ALTER TABLE snapshot_deletions DROP COLUMN refused_code, DROP COLUMN refused_until`,
];
