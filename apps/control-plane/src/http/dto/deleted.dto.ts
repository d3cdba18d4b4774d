/** What deleting answers. */
export interface Deleted {
  readonly deleted: true;
  readonly id: string;
}
