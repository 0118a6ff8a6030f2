export function isNamed(text: string, name: string): boolean {
  const [statement, wanted] = [text.toLowerCase(), name.toLowerCase()];
  if (!/^[\w$\x80-\uffff]+$/.test(wanted)) return statement.includes(wanted);
  return statement.split(/[^\w$\x80-\uffff]+/).includes(wanted);
}
