/** The form in which addresses are compared. Mail servers may tell case apart; people do not. */
export function emailKey(email: string): string {
  return email.normalize('NFC').toLowerCase();
}
