declare module 'fs-native-extensions' {
  /**
   * Requests an exclusive lock on an open file.
   * @returns false if another open file holds the lock
   * @throws an error with a `code` of the operating system, for example if the file system has no locks
   */
  export function tryLock(fd: number): boolean;
}
