import type { Clue } from './words-of-name.js';

/** Clues for data that describes a person without naming the person: coordinates, free text and pictures. */
export const CONTENT_CLUES: readonly Clue[] = [
  {
    kind: 'coordinates',
    strength: 'strong',
    phrases: [
      'latitude, longitude, lat, lng, lon, long, geo lat, geo lng, geo lon, coordinates, geo location',
      'geolocation, geo point, gps, gps position, gps lat, gps lon, last location, home location',
      'breitengrad, langengrad, breite grad, koordinaten, latitud, longitud, coordonnees, coordenadas',
      'latitudine, longitudine, coordinate, breedtegraad, lengtegraad, szerokosc geograficzna',
      'dlugosc geograficzna, latitud grad, 緯度, 経度',
    ],
  },
  { kind: 'coordinates', strength: 'weak', phrases: ['location, position, geom, geog, geo, point, coords'] },
  {
    kind: 'free_text',
    strength: 'strong',
    phrases: [
      'notes, note, comment, comments, remark, remarks, bio, biography, about, about me, message, messages',
      'message body, body text, feedback, review text, complaint, diagnosis, symptoms, medical notes',
      'medical history, allergies, case notes, internal notes, customer notes, special instructions',
      'delivery instructions, delivery notes, observation, observations, transcript, chat, conversation',
      'cover letter, resume text, testimonial, bemerkung, bemerkungen, notiz, notizen, kommentar',
      'kommentare, anmerkung, anmerkungen, nachricht, anamnese, beschwerde, remarque, remarques',
      'commentaire, commentaires, observaciones, comentario, comentarios, notas, mensaje, note interne',
      'commenti, commento, messaggio, osservazioni, annotazioni, observacoes, observacao, mensagem',
      'opmerking, opmerkingen, notitie, notities, bericht, uwagi, komentarz, notatka, notatki, wiadomosc',
      'anteckning, anteckningar, meddelande, kommentti, 備考, コメント, 备注',
    ],
  },
  {
    kind: 'free_text',
    strength: 'weak',
    phrases: [
      'description, text, body, content, summary, details, reason, subject, answer, response, history, log',
      'beschreibung, descripcion, descrizione, descricao, omschrijving, opis, beskrivning, inhalt, contenu',
      'texte, texto, testo, tekst',
    ],
  },
  {
    kind: 'photo',
    strength: 'strong',
    phrases: [
      'photo, photo url, photo path, photograph, avatar, avatar url, profile picture, profile photo',
      'profile image, profile image url, picture url profile, portrait, selfie, headshot, face image',
      'passport scan, id scan, id photo, fingerprint, fingerprint template, fingerprint data',
      'face embedding, face template, voiceprint, biometric, biometric template, signature image',
      'handwritten signature, foto, profilbild, passbild, lichtbild, unterschrift, photo profil',
      'photo identite, foto perfil, foto profilo, profielfoto, pasfoto, zdjecie, zdjecie profilowe',
      'profilbild url, アバター, 头像, 照片, foto url',
    ],
  },
  {
    kind: 'photo',
    strength: 'weak',
    phrases: [
      'image, picture, image url, picture url, img, bild, thumbnail, signature, scan, imagen, immagine',
      'imagem',
    ],
  },
];
