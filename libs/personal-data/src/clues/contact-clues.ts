import type { Clue } from './words-of-name.js';

/** Clues for the ways to contact a person: e-mail, phone and postal address. */
export const CONTACT_CLUES: readonly Clue[] = [
  {
    kind: 'email',
    strength: 'strong',
    phrases: [
      'email, e mail, email address, e mail address, mail address, emailaddr, email addr, contact email',
      'emailadresse, e mail adresse, mailadresse, courriel, adresse mail, adresse email',
      'adresse electronique, correo, correo electronico, direccion correo, posta elettronica',
      'indirizzo email, endereco email, correio eletronico, e mailadres, emailadres, adres email',
      'adres e mail, poczta, epost, e post, e postadress, epostadress, sahkoposti, eposta, メール, メールアドレス, 邮箱',
      '电子邮件, recovery email, reply to, paypal account',
    ],
  },
  {
    kind: 'email',
    strength: 'weak',
    phrases: [
      'mail, mails, to address, from address, sender, recipients, cc, bcc, contact, login, username, user',
    ],
  },
  {
    kind: 'phone',
    strength: 'strong',
    phrases: [
      'phone, phone number, phonenumber, phone no, telephone, telephone number, tel, tel no, tel number',
      'mobile, mobile number, mobile no, mobile phone, cell, cell phone, cellphone, cell number, fax',
      'fax number, fax no, home phone, work phone, msisdn, whatsapp, whatsapp number, contact number',
      'telefon, telefonnummer, telefon nr, tel nr, handy, handynummer, handy nr, mobil, mobilnummer',
      'mobiltelefon, rufnummer, festnetz, faxnummer, telephone portable, portable, no tel, num tel',
      'numero telephone, telefono, numero telefono, movil, telefono movil, celular, cellulare',
      'numero cellulare, telefone, telemovel, numero celular, telefoonnummer, telefoon, gsm, mobiel',
      'mobiel nummer, numer telefonu, nr telefonu, komorka, telefon komorkowy, telefonnr, mobilnr, puhelin',
      '電話, 電話番号, 携帯, 手机, 电话',
    ],
  },
  {
    kind: 'phone',
    strength: 'weak',
    phrases: ['caller, callee, sms to, called number, calling number, extension, number'],
  },
  {
    kind: 'street',
    strength: 'strong',
    phrases: [
      'address, addr, street, street address, street name, address line, addr line, addressline',
      'home address, mailing address, billing address, shipping address, ship address, delivery address',
      'postal address, residence, residential address, street number, house number, house no, house nr',
      'apartment, apt, strasse, str, strasse hausnummer, strassenname, hausnummer, hausnr, adresse',
      'anschrift, wohnanschrift, lieferadresse, rechnungsadresse, adresszeile, adresszusatz, rue, voie',
      'numero voie, adresse postale, adresse ligne, domicile, calle, direccion, domicilio, direccion linea',
      'direccion envio, numero exterior, indirizzo, numero civico, indirizzo residenza, residenza, rua',
      'endereco, logradouro, morada, straat, straatnaam, adres, adresregel, huisnummer, huisnr, woonadres',
      'ulica, adres zamieszkania, nr domu, numer domu, adress, gata, gatuadress, gatunamn, postadress',
      'osoite, 住所, 番地, 地址',
    ],
  },
  {
    kind: 'street',
    strength: 'weak',
    phrases: ['via, location, line, unit, complement, complemento, bairro, neighborhood'],
  },
  {
    kind: 'postcode',
    strength: 'strong',
    phrases: [
      'zip, zip code, zipcode, postal code, postalcode, post code, postcode, zip postal, plz, postleitzahl',
      'code postal, codepostal, codigo postal, codigopostal, cap residenza, codice postale',
      'codice avviamento postale, cep, codigo de postal, postcode huisnummer, kod pocztowy, postnummer',
      'post nr, postnr, postinumero, psc, 郵便番号, 邮编',
    ],
  },
  { kind: 'postcode', strength: 'weak', phrases: ['cap, cp, zip 4, pincode, pin code, postal'] },
  {
    kind: 'city',
    strength: 'strong',
    phrases: [
      'city, city name, town, ship city, billing city, home town, hometown, birth place, birthplace',
      'place of birth, city of birth, stadt, ort, wohnort, geburtsort, ville, commune, lieu naissance',
      'lieu de naissance, ciudad, localidad, municipio, poblacion, lugar nacimiento, lugar de nacimiento',
      'citta, comune, luogo nascita, luogo di nascita, comune di residenza, cidade, municipio, localidade',
      'naturalidade, stad, woonplaats, plaats, geboorteplaats, miasto, miejscowosc, miejsce urodzenia',
      'postort, fodelseort, kaupunki, mesto, 市区町村, 城市',
    ],
  },
  { kind: 'city', strength: 'weak', phrases: ['place, locality, suburb'] },
];
