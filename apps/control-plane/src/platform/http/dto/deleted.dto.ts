export interface Deleted {
  readonly deleted: true;
  readonly id: string;
}
