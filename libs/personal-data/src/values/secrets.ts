/** Tests for a password hash, token or key in a known format. */
export function isSecret(text: string): boolean {
  return /^\$(?:2[abxy]|argon2(?:id?|d)|5|6|1|y|scrypt|pbkdf2[\w-]*)\$|^(?:pbkdf2_sha\d+|bcrypt|argon2|scrypt)\$|^\{(?:SSHA|SHA|CRYPT|BCRYPT)\}|^eyJ[\w-]{8,}\.[\w-]+\.|^(?:sk|pk|rk)_(?:live|test)_|^gh[pousr]_\w{20}|^AKIA[0-9A-Z]{12}|^xox[abprs]-|^-----BEGIN [A-Z ]*PRIVATE KEY/.test(
    text,
  );
}

/** Tests for a possible key, code or password: one word that is not a URL. */
export function looksLikeSecret(text: string): boolean {
  return /^\S{3,}$/.test(text) && !/^https?:\/\//.test(text);
}

/** Tests for a long text of letters and digits that looks random. */
export function isOpaque(text: string): boolean {
  return /^[\w+/=.:$-]{16,}$/.test(text) && /\d/.test(text) && /[a-z]/i.test(text);
}

export function looksLikeUsername(text: string): boolean {
  return /^[@\p{L}\d][\p{L}\d._@+-]{1,63}$/u.test(text) && /\p{L}/u.test(text);
}
