/** What the name of a header field can be, among others (RFC 9110, 5.6.2). */
export const TOKEN: RegExp = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
