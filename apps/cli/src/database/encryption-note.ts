/** For the manual of each command that connects to a database. Apart from the code that connects, which takes a while to load. */
export const ENCRYPTION_NOTE =
  'Connections to another machine are encrypted. Without sslmode, or with prefer, a URL means sslmode=require, which does not authenticate the server: write sslmode=verify-full where its certificate can be verified. Only sslmode=disable in the URL connects in plaintext, with a warning. On localhost and through a socket, no sslmode means plaintext.';
