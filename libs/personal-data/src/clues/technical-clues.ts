import type { Clue } from './words-of-name.js';

/** Clues for technical identifiers of a person, such as IP addresses and user names, and for secrets. */
export const TECHNICAL_CLUES: readonly Clue[] = [
  {
    kind: 'ip_address',
    strength: 'strong',
    phrases: [
      'ip, ip address, ipaddress, ip addr, ipaddr, client ip, remote ip, remote addr, remote address',
      'last ip, login ip, last login ip, signup ip, source ip, x forwarded for, ip adresse, adresse ip',
      'direccion ip, indirizzo ip, endereco ip, ip adres, adres ip, ipv 4, ipv 6, ip v 4, ip v 6',
    ],
  },
  { kind: 'ip_address', strength: 'weak', phrases: ['host, remote host, client host, address, origin'] },
  {
    kind: 'mac_address',
    strength: 'strong',
    phrases: [
      'mac, mac address, macaddress, mac addr, macaddr, hardware address, hw address, wifi mac, adresse mac',
      'mac adresse',
    ],
  },
  { kind: 'mac_address', strength: 'weak', phrases: ['device id, bssid, bluetooth'] },
  {
    kind: 'username',
    strength: 'strong',
    phrases: [
      'username, user name, login, login name, loginname, user login, account login, screen name',
      'screenname, handle, nickname, nick name, twitter, twitter handle, instagram, facebook, linkedin',
      'skype, telegram, github username, github, benutzername, benutzerkennung, anmeldename, nutzername',
      'loginkennung, nom utilisateur, nom d utilisateur, identifiant, pseudo, nombre usuario',
      'nombre de usuario, usuario, nome utente, utente login, nome usuario, nome de usuario, gebruikersnaam',
      'nazwa uzytkownika, anvandarnamn, kayttajatunnus, ユーザー名, 用户名',
    ],
  },
  { kind: 'username', strength: 'weak', phrases: ['user, alias, uid, account, kennung, nick'] },
  {
    kind: 'secret',
    strength: 'strong',
    phrases: [
      'password, passwd, pwd, pass word, password hash, passwordhash, hashed password, encrypted password',
      'password digest, password salt, passphrase, secret, client secret, secret key, secret answer',
      'security answer, api key, apikey, api token, access token, refresh token, auth token, authtoken',
      'authentication token, session token, remember token, reset token, reset password token',
      'confirmation token, verification token, invite token, bearer token, oauth token, id token',
      'csrf token, token, tokens, private key, encryption key, otp secret, totp secret, two factor secret',
      'mfa secret, recovery codes, backup codes, webhook secret, signing secret, pin, pin hash, cvv, cvc',
      'cvv 2, security code, session key, session data, passwort, passwort hash, kennwort, geheimnis',
      'mot de passe, motdepasse, mdp, contrasena, clave, clave acceso, clave secreta, parola chiave',
      'parola d ordine, senha, senha hash, wachtwoord, haslo, losenord, salasana, heslo, sifre, パスワード, 密码',
    ],
  },
  {
    kind: 'secret',
    strength: 'weak',
    phrases: [
      'salt, hash, key, session id, sid, code, nonce, verifier, credentials, credential, pass, digest',
      'signature key',
    ],
  },
];
