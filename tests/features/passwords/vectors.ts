/** Hashes with their passwords, by the reference implementation of Argon2, and by `hashlib` of Python. */
export const VECTORS: readonly (readonly [hash: string, password: string])[] = [
  [
    "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
    "password",
  ],
  [
    "$argon2id$v=19$m=256,t=2,p=4$c29tZXNhbHQ$vinRxJdZOVnNcB5c7v6Kb72ibZs4ksCM/yYeCpS6srE",
    "password",
  ],
  [
    "$argon2id$v=19$m=64,t=3,p=2$MDEyMzQ1Njc4OWFiY2RlZg$8wTWhecvTuw5JtdJv3PTgg",
    "differentpassword",
  ],
  [
    "$argon2id$v=19$m=4096,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$ytWqylEyhtjWUecfsPs3TG+IuXUkuJWIWaVnBbMjn3RG/+HZ2lnoxoAs7cnFLkRLW+jN9KdOrxmxAKfojuYJHg",
    "Zoë 🎵",
  ],
  ["$pbkdf2-sha256$i=1,l=32$c2FsdHNhbHQ$O+xIxXdlOv3CQzuTp9jujq55iV7ZO/Yn6XZ0x/Rfikw", "password"],
  [
    "$pbkdf2-sha256$i=1000,l=64$MDEyMzQ1Njc4OWFiY2RlZg$mNcp4sGnAGFuSPq8qnoJDwL+OJFDTIabl+2IdPnIzkP6IoML475vqrcFSSp2Z1BJt8AiZq/10dbPAVUgvtin0Q",
    "Zoë 🎵",
  ],
  [
    "$pbkdf2-sha256$i=600000,l=32$MDEyMzQ1Njc4OWFiY2RlZg$mW18kPdKShac963vQrBoSPfRusPlaNHMlNT3m+HuAmM",
    "password",
  ],
];
