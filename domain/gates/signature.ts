/** Whether a text is the signature of a gate that may be allowed for good. */
export const isGateSignature = (text: string): boolean =>
  /^gate:(?:outside|code|program|permissions|rule):[^\s:][^\n]{0,100}$/.test(text);
