import { activityLimits } from '../limits/activity-limits.ts';

const { shortest, encoded } = activityLimits.redact;

/**
 * All forms in which a program may print the value of one variable: the value itself, its lines, the secret parts of a URL or a connection
 * string, and all of these as JSON, HTML, URLs and base64 write them.
 */
export function secretForms(value: string): string[] {
  const whole = value.trim().toWellFormed();
  const lines = whole
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
  const parts = listSecretParts(whole);
  const forms = [whole, ...lines, ...parts];
  if (whole.length <= encoded) {
    forms.push(...[whole, ...lines, ...parts].flatMap(escapedForms), ...[whole, ...parts].flatMap(base64Forms));
  }
  return [...new Set(forms)].filter((form) => form.length >= shortest);
}

/** `password=...` in the query of a URL or in a connection string, whatever is put before `password`. */
const assigned = /(?:pass|password|passwd|pwd|secret|token|key|sig|signature|auth|credential)=([^&;\s"']+)/gi;

/** The user and password of a URL; a token may stand alone in the place of the user. */
const userInfo = /^[a-z][a-z0-9+.-]*:\/\/([^/?#\s]*)@/i;

/** A shorter piece of a path is more likely a word than a key. */
const keyLength = 16;

function listSecretParts(whole: string): string[] {
  const parts = [...whole.matchAll(assigned)].map(([, part = '']) => part);
  const given = userInfo.exec(whole)?.[1];
  if (given !== undefined) {
    const colon = given.indexOf(':');
    parts.push(given, ...(colon === -1 ? [] : [given.slice(colon + 1)]));
  }
  // The path of a webhook is its key.
  const path = /^https?:\/\/[^/?#\s]*[/?#](\S*)$/i.exec(whole)?.[1] ?? '';
  const looksLikeKey = (part: string): boolean => part.length >= keyLength && /\d/.test(part) && /[a-z]/i.test(part);
  parts.push(...path.split(/[/?#&=]/).filter(looksLikeKey));
  return parts.flatMap((part) => [part, decoded(part)]);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function escapedForms(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const percent = encodeURIComponent(text);
  return [
    json,
    // As PHP, Go and Python write JSON.
    json.replaceAll('/', '\\/'),
    json.replace(/[<>&]/g, unicodeEscape),
    json.replace(/[^\x00-\x7f]/g, unicodeEscape),
    percent,
    percent.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    percent.replaceAll('%20', '+'),
    encodeURI(text),
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
  ];
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Columns at which programs break lines of base64: `openssl` and PEM, `base64` and MIME. */
const columns = [64, 76];

function base64Forms(text: string): string[] {
  const bytes = Buffer.from(text);
  const alone = bytes.toString('base64');
  const lines = columns.flatMap((width) =>
    Array.from({ length: Math.ceil(alone.length / width) }, (_, line) => alone.slice(line * width, (line + 1) * width)),
  );
  const forms = [alone, ...lines, ...[0, 1, 2].map((before) => base64Within(bytes, before))];
  return forms.flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')]);
}

/**
 * The part of a value that stays the same in the base64 of a longer text (`user:TOKEN`), by the number of bytes before it in its group of
 * three.
 */
function base64Within(bytes: Buffer, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
  return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
}
